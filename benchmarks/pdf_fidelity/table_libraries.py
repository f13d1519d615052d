"""Readers of tables of PDF files, each a function from a file to grids of cell texts. All have permissive licences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from backtrail.ingest.pdf.elements import body_size, read_elements
from backtrail.ingest.pdf.isolated_reader import read_in_process

Grid = Sequence[Sequence[str]]
"""Rows of cell texts; a spanning cell is in every place it covers, if the reader knows."""


def backtrail(path: Path) -> Iterator[Grid]:
    """Backtrail's own reader."""
    pages = read_in_process(path).pages
    for element in read_elements(pages, body_size(pages)):
        if element.part.table is not None:
            yield element.part.table.slots()


def pdfplumber(path: Path, strategy: str) -> Iterator[Grid]:
    """pdfplumber (MIT), by ruling lines or by the alignment of words."""
    import pdfplumber as library

    settings = {"vertical_strategy": strategy, "horizontal_strategy": strategy}
    with library.open(path) as file:
        for page in file.pages:
            for rows in page.extract_tables(settings):
                yield [[cell or "" for cell in row] for row in rows]


def camelot(path: Path, flavor: str) -> Iterator[Grid]:
    """Camelot (MIT): lattice reads ruled tables, stream and network aligned words, hybrid both."""
    import camelot as library

    for table in library.read_pdf(str(path), pages="all", flavor=flavor, suppress_stdout=True):
        yield table.df.to_numpy().tolist()


def img2table(path: Path) -> Iterator[Grid]:
    """img2table (MIT): lines and gaps in the picture of a page, words of the file."""
    from img2table.document import PDF

    for tables in (
        PDF(str(path), pdf_text_extraction=True).extract_tables(implicit_rows=True, borderless_tables=True).values()
    ):
        for table in tables:
            yield [[cell.value or "" for cell in row] for row in table.content.values()]


READERS: dict[str, Callable[[Path], Iterator[Grid]]] = {
    "backtrail": backtrail,
    **{f"pdfplumber-{strategy}": partial(pdfplumber, strategy=strategy) for strategy in ("lines", "text")},
    **{f"camelot-{flavor}": partial(camelot, flavor=flavor) for flavor in ("lattice", "stream", "network", "hybrid")},
    "img2table": img2table,
}
