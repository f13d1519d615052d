"""Where the cells of a sheet lead: addresses they carry, and addresses that they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from backtrail.ingest.html.text import normalise
from backtrail.ingest.sheets.sheet import CellRange, Sheet, parse_reference
from backtrail.state.component import Link

MAX_LINKS = 50_000
"""Links of one sheet that are kept; ours."""

_WEB = ("http://", "https://")


class SheetLinks:
    """The links of one sheet, by row.

    A link within the workbook has the document as its target, and as its component the place as it was written
    ("Sheet2!B7"), until all sheets are read.
    """

    def __init__(self, sheet: Sheet, document_id: str) -> None:
        self._sheet = sheet
        self._document_id = document_id
        self._rows: dict[int, dict[int, str]] = defaultdict(dict)
        kept = 0
        for number, row in enumerate(sheet.rows):
            for column, cell in enumerate(row):
                if kept < MAX_LINKS and cell.startswith(_WEB) and " " not in cell:
                    self._rows[number][column] = cell
                    kept += 1
        for (number, column), href in list(sheet.links.items())[:MAX_LINKS]:
            self._rows[number][column] = href

    def within(self, place: CellRange, first_row: int | None = None, columns: Sequence[int] = ()) -> list[Link]:
        """The links of a range.

        Args:
            place: the range.
            first_row: of the body, for links of a table: those above it belong to the header.
            columns: the columns of the table in order.
        """
        numbers = {column: number for number, column in enumerate(columns)}
        found: list[Link] = []
        for row in range(place.top, place.bottom + 1) if self._rows else ():
            for column, href in sorted(self._rows.get(row, {}).items()):
                if not place.left <= column <= place.right:
                    continue
                at = row - first_row if first_row is not None and row >= first_row else None
                found.append(self._link(row, column, href, at, numbers.get(column)))
        return found

    def _link(self, row: int, column: int, href: str, at: int | None, number: int | None) -> Link:
        cells = self._sheet.rows[row] if row < len(self._sheet.rows) else []
        anchor = normalise(cells[column]) if column < len(cells) else ""
        if not href.startswith("#"):
            return Link(target=href, anchor=anchor, row=at, column=number, kind="external")
        reference = href[1:]
        if "!" not in reference and parse_reference(reference) is not None:
            reference = f"{self._sheet.name}!{reference}"
        return Link(target=self._document_id, component=reference, anchor=anchor, row=at, column=number)
