"""Sources of an answer in context: sentence in paragraph, row in table, place on a PDF page, picture."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from backtrail.cli.show.trace_record import DISPLAY_ERRORS
from backtrail.nodes.reading.citation_locations import place, titled
from backtrail.state.answer import Citation
from backtrail.state.component import Component, Document
from backtrail.state.evidence import EvidenceLocator
from backtrail.state.settings import Settings
from backtrail.tools.errors import BacktrailError
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader
from backtrail.tools.web.shelf import is_web

ROWS_BESIDE = 3
"""Rows of a long table shown before and after the cited one (ours)."""

MOST_CITED = 60
"""Cited rows of a table that are shown."""


@dataclass(frozen=True)
class Marked:
    """Piece of text, cited or not."""

    text: str
    cited: bool = False


@dataclass(frozen=True)
class Row:
    """Table row with its displayed number."""

    number: int
    cells: Sequence[str]
    cited: bool = False


@dataclass(frozen=True)
class Source:
    """Citation in context. ``missing`` says why there is no context. ``columns``: cited in ``rows``; if none, all.

    ``page_picture`` draws the page of a PDF, ``pdf_page`` shows it among the others. ``file``: id of the document, a
    path below the ingested folder; empty on the web.

    ``duplicates``: title, place and address of other components with the same text;
    ``more_duplicates``: number of further ones.
    """

    number: int
    title: str
    where: str
    quote: str = ""
    text: Sequence[Marked] = ()
    before: str = ""
    after: str = ""
    caption: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Row] = ()
    rows_left: int = 0
    columns: Sequence[int] = ()
    picture: str = ""
    page_picture: str = ""
    pdf_page: str = ""
    file: str = ""
    document: str = ""
    original: str = ""
    missing: str = ""
    duplicates: Sequence[tuple[str, str, str]] = ()
    more_duplicates: int = 0
    alt: str = field(default="")


def sources_of(values: Mapping[str, Any], settings: Settings, toolbox: Toolbox) -> list[Source]:
    """Return the sources of an answer in order: its citations, or the quotes of an abstention. Blocking."""
    answer = values.get("answer") or {}
    cited: Sequence[Citation] = ()
    with suppress(*DISPLAY_ERRORS):
        cited = answer["quotes"] if answer["abstained"] and answer.get("quotes") else answer["citations"]
    contents = toolbox.contents(settings)
    return [_source(number, citation, contents, settings.corpus) for number, citation in enumerate(cited, 1)]


def _source(number: int, citation: Citation, contents: ContentsReader, corpus: str) -> Source:
    named: dict[str, Any] = {"number": number}
    try:
        named.update(title=titled(citation), where=place(citation["modality"], citation["locator"]))
        named.update(quote=citation["quote"], original=web_address(str(citation["locator"].get("url", ""))))
        named.update(duplicates=_also(citation, corpus), more_duplicates=citation.get("more_duplicates", 0))
        component = contents.components([citation["component"]]).get(citation["component"])
        document = contents.documents([citation["document"]]).get(citation["document"])
    except BacktrailError as error:
        return Source(**named, missing=str(error))
    except DISPLAY_ERRORS:
        return Source(number, str(citation.get("title", "")), "", missing="The citation cannot be read.")
    if component is None:
        return Source(**named, missing="It is no longer in the corpus.")
    if not is_web(component.id):
        named["document"] = address_of(corpus, component.document, component.id)
        named["file"] = component.document
    if document is not None:
        named["original"] = named["original"] or web_address(document.url)
    return Source(**named, **_contents(component, citation, document, contents, corpus))


def _also(citation: Citation, corpus: str) -> list[tuple[str, str, str]]:
    return [
        (titled(one), place(one["modality"], one["locator"]), address_of(corpus, one["document"], one["component"]))
        for one in citation.get("duplicates", [])
    ]


def _contents(
    component: Component, citation: Citation, document: Document | None, contents: ContentsReader, corpus: str
) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    locator = citation["locator"]
    if component.table is not None:
        shown.update(_table(component, cited_rows(locator)), columns=locator.get("columns", ()))
    elif component.image is not None:
        picture = component.image
        if picture.blob:
            at = "" if is_web(component.id) else f"?corpus={quote(corpus, safe='')}"
            shown["picture"] = f"/blobs/{picture.blob}{at}"
        shown.update(caption=picture.caption or picture.title, alt=picture.alt or picture.caption or picture.title)
    else:
        sentence = _sentence(component, locator.get("sentence"), contents)
        shown["text"] = mark(component.text or "", sentence or citation["quote"])
    if has_page(component, document):
        shown["page_picture"] = page_address(corpus, component.document, component.id)
        shown["pdf_page"] = reader_address(corpus, component.document, component.id)
    return shown


def _sentence(component: Component, index: int | None, contents: ContentsReader) -> str:
    """Return the cited sentence as in its paragraph; empty if unknown."""
    read = getattr(contents, "subcomponents", None)
    if index is None or read is None:
        return ""
    sentences = [one.text for one in read([component.id]).get(component.id, []) if one.kind == "sentence"]
    return sentences[index] if index < len(sentences) else ""


def mark(text: str, cited: str) -> list[Marked]:
    """Split a text into cited and other pieces; nothing is marked if the citation is not found."""
    start = text.find(cited) if cited else -1
    if start < 0 and cited:
        folded = " ".join(cited.split())
        start, cited = text.find(folded), folded
    if start < 0:
        return [Marked(text)]
    pieces = [Marked(text[:start]), Marked(cited, cited=True), Marked(text[start + len(cited) :])]
    return [piece for piece in pieces if piece.text]


def cited_rows(locator: EvidenceLocator) -> list[int]:
    """Return the numbers of the rows that a citation names, at most ``MOST_CITED``."""
    row = locator.get("row")
    ranges = locator.get("rows") or ([[row, row]] if row is not None else [])
    return list(islice((number for first, last in ranges for number in range(first, last + 1)), MOST_CITED))


def _table(component: Component, cited: Sequence[int]) -> dict[str, Any]:
    table = component.table
    assert table is not None
    beside = set(cited)
    if len(cited) == 1:
        beside = set(range(cited[0] - ROWS_BESIDE, cited[0] + ROWS_BESIDE + 1))
    if not any(0 <= row < len(table.rows) for row in cited):
        beside = set(range(2 * ROWS_BESIDE + 1))
    # numbered as in answers: a sheet's rows by the sheet, others from 1
    begins = component.locator.first_row if component.locator.first_row is not None else 1
    rows = [Row(begins + number, cells, number in cited) for number, cells in enumerate(table.rows) if number in beside]
    return {
        "caption": table.caption, "header": table.header, "rows": rows, "rows_left": len(table.rows) - len(rows)
    }  # fmt: skip


def is_drawable(document: Document | None) -> bool:
    """Return whether a document is an existing PDF, whose pages can be drawn."""
    return document is not None and document.source.lower().endswith(".pdf") and os.path.isfile(document.source)


def has_page(component: Component, document: Document | None) -> bool:
    """Return whether a component is on a page that can be drawn."""
    return bool(component.locator.page) and is_drawable(document)


def page_address(corpus: str, document: str, component: str, number: int = 0) -> str:
    """Return the address of the picture of a PDF page: that with this number from 1, else that of the component."""
    return f"/ui/corpora/{quote(corpus, safe='')}/page?{_meant(document, component, number)}"


def reader_address(corpus: str, document: str, component: str, number: int = 0) -> str:
    """Return the address of the same page in the reader, which turns pages."""
    return f"/ui/corpora/{quote(corpus, safe='')}/read?{_meant(document, component, number)}"


def _meant(document: str, component: str, number: int) -> str:
    named = {"document": document, "component": component, "number": str(number or "")}
    return urlencode({name: value for name, value in named.items() if value})


def address_of(corpus: str, document: str, component: str = "") -> str:
    """Return the address of a document's page, at a component if named."""
    at = f"&at={quote(component, safe='')}#cited" if component else ""
    return f"/ui/corpora/{quote(corpus, safe='')}/document?id={quote(document, safe='')}{at}"


def web_address(url: str) -> str:
    """Return an http(s) address unchanged; empty for others, which could be scripts."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""
