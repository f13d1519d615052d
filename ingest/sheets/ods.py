"""Spreadsheets of OpenDocument (.ods): the text that cells show, their spans and links, as a stream.

Own code: odfpy holds the whole sheet as objects, calamine gives no spans, links or shown text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise
from backtrail.ingest.sheets.bounds import CellBudget
from backtrail.ingest.sheets.sheet import BLANK, MAX_COLUMNS, SHEET_ROWS, CellRange, Row, Sheet
from backtrail.ingest.sheets.xlsx import SheetReading
from backtrail.ingest.sheets.xlsx_parts import MAX_ROW_CELLS, MAX_ROW_ELEMENTS, MAX_SPANS

STREAMED = ("content.xml",)

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")


def read_ods(archive: Archive, budget: CellBudget, notes: list[str]) -> Iterator[SheetReading]:
    """The sheets of a spreadsheet in order.

    Raises:
        UnreadableSource: it is damaged before the first sheet ends.
    """
    if "content.xml" not in archive:
        raise archive.damaged(ValueError("it has no content.xml"))
    tags = (f"{_TABLE}table", f"{_TABLE}table-row")
    reader: _SheetReader | None = None
    finished = 0
    with archive.stream("content.xml") as stream:
        events = etree.iterparse(stream, ("start", "end"), tag=tags, resolve_entities=False, no_network=True)
        try:
            for event, element in events:
                if element.tag == tags[0]:
                    if event == "start":
                        reader = _SheetReader(element.get(f"{_TABLE}name") or "", budget)
                    elif reader is not None:
                        yield reader.finish(notes)
                        finished += 1
                        element.clear()
                elif event == "end" and reader is not None:
                    reader.add(element)
                    element.clear()
        except etree.XMLSyntaxError as error:
            if not finished and (reader is None or not reader.sheet.rows):
                raise archive.damaged(error) from error
            notes.append(f"the file is damaged; what follows sheet {finished + 1} was not read")
            if reader is not None and reader.sheet.rows:
                yield reader.finish(notes)


def title_of(archive: Archive) -> str:
    """The title that the document's properties give; empty if none."""
    root = archive.tree("meta.xml")
    element = next(root.iter("{*}title"), None) if root is not None else None
    return normalise(element.text or "") if element is not None else ""


class _SheetReader:
    """Gathers one sheet row by row."""

    def __init__(self, name: str, budget: CellBudget) -> None:
        self.sheet = Sheet(name, [])
        self._budget = budget
        self._open = True
        self._blank = self._elements = 0
        self._comments: dict[str, str] = {}

    def add(self, element: Any) -> None:
        """A row, as often as it says it is repeated; blank ones count once something follows them.

        Files repeat blank rows to the end of the sheet.
        """
        self._elements += 1
        if not self._open or self._elements > MAX_ROW_ELEMENTS:
            return
        repeated = _count(element, "number-rows-repeated", SHEET_ROWS)
        row, width = self._row(element, len(self.sheet.rows) + self._blank)
        if not row:
            self._blank += repeated
            return
        blank, self._blank = self._blank, 0
        self._open = self._keep(BLANK, 0, blank) and self._keep(row, width, repeated)

    def finish(self, notes: list[str]) -> SheetReading:
        """The sheet as read."""
        notes.extend(f"sheet {self.sheet.name!r}: {note}" for note in self._budget.notes())
        return SheetReading(self.sheet, [], self._comments)

    def _keep(self, row: Row, width: int, times: int) -> bool:
        return all(self._budget.take(self.sheet.rows, list(row), width) for _ in range(times))

    def _row(self, element: Any, number: int) -> tuple[Row, int]:
        row: Row = []
        width = 0
        for cell in islice(element, MAX_ROW_CELLS):
            if cell.tag not in _CELLS:
                continue
            repeated = _count(cell, "number-columns-repeated", MAX_COLUMNS)
            text = self._text(cell)
            if text or cell.tag == _CELLS[0]:
                self._spans_and_links(cell, number, len(row))
            row.extend([text] * min(repeated, MAX_COLUMNS - len(row)))
            width += repeated if text else 0
        while row and not row[-1]:
            row.pop()
        return row, max(width, len(row))

    def _text(self, cell: Any) -> str:
        paragraphs = [part for part in cell if part.tag == f"{_TEXT}p"]
        return " ".join(filter(None, (normalise("".join(_words(one))) for one in paragraphs)))

    def _spans_and_links(self, cell: Any, row: int, column: int) -> None:
        columns = _count(cell, "number-columns-spanned", MAX_COLUMNS)
        rows = _count(cell, "number-rows-spanned", SHEET_ROWS)
        if (columns > 1 or rows > 1) and len(self.sheet.spans) < MAX_SPANS:
            self.sheet.spans.append(CellRange(row, column, row + rows - 1, column + columns - 1))
        link = next(cell.iter(f"{_TEXT}a"), None)
        href = link.get(f"{_XLINK}href") if link is not None else None
        if href:
            # within the file it is written "#Sheet2.B7"
            place = href.rpartition(".")
            self.sheet.links[row, column] = f"{place[0]}!{place[2]}" if href.startswith("#") and place[0] else href
        note = cell.find(f"{_OFFICE}annotation")
        words = normalise(" ".join("".join(_words(one)) for one in note.iter(f"{_TEXT}p"))) if note is not None else ""
        if words:
            self._comments[CellRange(row, column, row, column).name.partition(":")[0]] = words


def _words(paragraph: Any) -> Iterator[str]:
    """The text of a paragraph, with what elements stand for: spaces, tabs, line breaks."""
    yield paragraph.text or ""
    for part in paragraph:
        if part.tag == f"{_TEXT}s" or part.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            yield " "
        elif isinstance(part.tag, str) and part.tag != f"{_OFFICE}annotation":
            yield from _words(part)
        yield part.tail or ""


def _count(element: Any, name: str, most: int) -> int:
    """A repetition or span: at least 1, at most the bound."""
    value = element.get(f"{_TABLE}{name}") or "1"
    return max(1, min(int(value), most)) if value.isdigit() and len(value) < 10 else 1
