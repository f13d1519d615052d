"""Streaming reader of OpenDocument spreadsheets (.ods): shown text, spans and links of cells.

Own code: odfpy loads whole sheets into memory; calamine gives no spans, links or shown text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise
from backtrail.ingest.opendocument.names import OFFICE, TABLE, TEXT, XLINK, count
from backtrail.ingest.sheets import sheet as bounds
from backtrail.ingest.sheets.sheet import CellBudget, CellRange, Row, Sheet

STREAMED = ("content.xml",)

_TAGS = (f"{TABLE}table", f"{TABLE}table-row")
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")


def read_ods(archive: Archive, budget: CellBudget, notes: list[str]) -> Iterator[Sheet]:
    """Yield the sheets of a spreadsheet in order.

    Raises:
        UnreadableSource: it is damaged before the first sheet ends.
    """
    if "content.xml" not in archive:
        raise archive.damaged(ValueError("it has no content.xml"))
    reader = _SheetReader("", budget)
    finished = 0
    with archive.stream("content.xml") as stream:
        events = etree.iterparse(stream, ("start", "end"), tag=_TAGS, resolve_entities=False, no_network=True)
        try:
            for event, element in events:
                if event == "start" and element.tag == _TAGS[0]:
                    reader = _SheetReader(element.get(f"{TABLE}name") or "", budget)
                elif event == "end":
                    if element.tag == _TAGS[0]:
                        notes.extend(budget.notes(reader.sheet.name))
                        yield reader.sheet
                        finished += 1
                    else:
                        reader.add(element)
                    element.clear()
        except etree.XMLSyntaxError as error:
            if not finished and not reader.sheet.rows:
                raise archive.damaged(error) from error
            notes.append(f"the file is damaged; what follows sheet {finished + 1} was not read")
            yield reader.sheet


class _SheetReader:
    """Collector of one sheet, row by row."""

    def __init__(self, name: str, budget: CellBudget) -> None:
        self.sheet = Sheet(name)
        self._budget = budget
        self._open = True
        self._number = self._elements = 0

    def add(self, element: Any) -> None:
        """Add a row with its repetitions."""
        self._elements += 1
        if not self._open or self._elements > bounds.SHEET_ROWS:
            return
        repeated = count(element, f"{TABLE}number-rows-repeated", bounds.SHEET_ROWS)
        row, width = self._row(element, self._number)
        if row:
            numbers = range(self._number, self._number + repeated)
            self._open = all(self._budget.take(self.sheet.rows, list(row), one, width) for one in numbers)
        self._number += repeated

    def _row(self, element: Any, number: int) -> tuple[Row, int]:
        row: Row = []
        width = 0
        for cell in islice(element, bounds.ROW_CELLS):
            if cell.tag not in _CELLS:
                continue
            repeated = count(cell, f"{TABLE}number-columns-repeated", bounds.MAX_COLUMNS)
            text = " ".join(filter(None, map(_words, cell.iterchildren(f"{TEXT}p"))))
            if text or cell.tag == _CELLS[0]:
                self._add_parts(cell, number, len(row))
            row.extend([text] * min(repeated, bounds.MAX_COLUMNS - len(row)))
            width += repeated if text else 0
        while row and not row[-1]:
            row.pop()
        return row, width

    def _add_parts(self, cell: Any, row: int, column: int) -> None:
        """Add span and link of a cell."""
        columns = count(cell, f"{TABLE}number-columns-spanned", bounds.MAX_COLUMNS)
        rows = count(cell, f"{TABLE}number-rows-spanned", bounds.SHEET_ROWS)
        if (columns > 1 or rows > 1) and len(self.sheet.spans) < bounds.MAX_SPANS:
            self.sheet.spans.append(CellRange(row, column, row + rows - 1, column + columns - 1))
        link = next(cell.iter(f"{TEXT}a"), None)
        href = (link.get(f"{XLINK}href") or "") if link is not None else ""
        if href and len(self.sheet.links) < bounds.MAX_LINKS:
            # a link within the file is "#Sheet2.B7"
            place = href.rpartition(".")
            self.sheet.links[row, column] = f"{place[0]}!{place[2]}" if href.startswith("#") and place[0] else href


def _words(paragraph: Any) -> str:
    return normalise("".join(_texts(paragraph)))


def _texts(element: Any) -> Iterator[str]:
    yield element.text or ""
    for part in element:
        if part.tag in (f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"):
            yield " "
        elif part.tag != f"{OFFICE}annotation":
            yield from _texts(part)
        yield part.tail or ""
