"""Compared parsers, each a function from a file to a reading. All have permissive licences."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from backtrail.ingest.discover import Source
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Component, Link, Table
from benchmarks.pdf_fidelity.measures import Reading


def backtrail(path: Path) -> Reading:
    """Backtrail's own reader."""
    source = Source("pdf", path, path.name, path.parent)
    documents = [entry for entry in parse(source) if isinstance(entry, ParsedDocument)]
    components = [component for document in documents for component in document.components]
    by_id = {component.id: component for component in components}
    sections = {name for component in components for name in component.section.split(" > ") if name}
    links = []
    for document in documents:
        for component in document.components:
            for link in component.links:
                links.append((link.anchor, _target_words(link, documents, by_id)))
    return Reading(
        text="\n".join(_words(component) for component in components if component.image is None),
        headings=[*sections, *_titles(documents)],
        tables=[(c.table.caption, c.table.header, c.table.rows) for c in components if c.table],
        pictures=[(c.locator.page or 0, c.locator.box or (0, 0, 0, 0), c.image.caption) for c in components if c.image],
        links=links,
    )


def _titles(documents: list[ParsedDocument]) -> list[str]:
    """Return the titles of the file and of its sections ("Title: Section")."""
    whole = documents[0].document.title
    return [whole, *(document.document.title.removeprefix(f"{whole}: ") for document in documents[1:])]


def _target_words(link: Link, documents: list[ParsedDocument], by_id: dict[str, Component]) -> str:
    """Return title, section and words of the target of a link."""
    document = next((document for document in documents if document.document.id == link.target), None)
    if document is None or not document.components:
        return ""
    fragment = link.component or document.components[0].id
    component = by_id.get(document.fragments.get(fragment, fragment))
    return f"{document.document.title} {component.section} {_words(component)}" if component else ""


def _words(component: Component) -> str:
    if component.table is not None:
        return _table_words(component.table)
    return component.text or (component.image.caption if component.image else "")


def _table_words(table: Table) -> str:
    return "\n".join([table.caption, *(" ".join(row) for row in (table.header, *table.rows))])


def pdfplumber(path: Path) -> Reading:
    """pdfplumber (MIT) on pdfminer.six: text by position, and its tables."""
    import pdfplumber as library

    text, tables = [], []
    with library.open(path) as file:
        for page in file.pages:
            text.append(page.extract_text(x_tolerance_ratio=0.15))
            for rows in page.extract_tables():
                cells = [[cell or "" for cell in row] for row in rows]
                tables.append(("", cells[0], cells[1:]))
    return Reading("\n".join(text), tables=tables)


def pdfminer(path: Path) -> Reading:
    """pdfminer.six (MIT) with its layout analysis, which detects columns."""
    from pdfminer.high_level import extract_text

    return Reading(extract_text(str(path)))


def pdfium(path: Path) -> Reading:
    """pypdfium2 (Apache-2.0 or BSD-3-Clause): the text of the page in pdfium's order."""
    import pypdfium2

    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]
    return Reading("\n".join(re.sub("[\ufffe\x02]\\s*", "", page) for page in pages))


def pypdf(path: Path) -> Reading:
    """pypdf (BSD-3-Clause)."""
    import pypdf as library

    return Reading("\n".join(page.extract_text() for page in library.PdfReader(path).pages))


def docling_parse(path: Path) -> Reading:
    """docling-parse (MIT): its lines, without the models of docling."""
    from docling_core.types.doc.page import TextCellUnit
    from docling_parse.pdf_parser import DoclingPdfParser

    pages = DoclingPdfParser(loglevel="fatal").load(path_or_stream=str(path)).iterate_pages()
    lines = [cell.text for _, page in pages for cell in page.iterate_cells(unit_type=TextCellUnit.LINE)]
    return Reading("\n".join(lines))


def pdftext(path: Path) -> Reading:
    """pdftext (Apache-2.0) on pypdfium2."""
    from pdftext.extraction import paginated_plain_text_output

    return Reading("\n".join(paginated_plain_text_output(str(path), sort=True, hyphens=False)))


def pdf_oxide(path: Path) -> Reading:
    """pdf_oxide (MIT or Apache-2.0): its text, its tables, the headings of its Markdown."""
    import pdf_oxide as library

    file = library.PdfDocument(str(path))
    pages = range(file.page_count())
    tables = []
    for page in pages:
        for table in file.extract_tables(page):
            cells = [[cell["text"] or "" for cell in row["cells"]] for row in table["rows"]]
            if cells:
                tables.append(("", cells[0], cells[1:]))
    markdown = "\n".join(file.to_markdown(page, detect_headings=True) for page in pages)
    headings = [re.sub(r"[*_#]", "", line) for line in markdown.splitlines() if line.startswith("#")]
    return Reading("\n".join(file.extract_text(page) for page in pages), headings, tables)


PARSERS: dict[str, Callable[[Path], Reading]] = {
    "backtrail": backtrail, "pdfplumber": pdfplumber, "pdfminer.six": pdfminer, "pypdfium2": pdfium, "pypdf": pypdf,
    "docling-parse": docling_parse, "pdftext": pdftext, "pdf-oxide": pdf_oxide,
}  # fmt: skip
