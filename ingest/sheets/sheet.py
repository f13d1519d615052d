"""A sheet as people see it: the text of its cells, and what spans and links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_CELLS = 1_000_000
"""Cells of one file that are read: what is stored and searched of them takes about a gigabyte; the rest is named."""

MAX_ROWS = 200_000
"""Rows of one sheet that hold anything and are read; ours."""

MAX_BLANK_ROWS = 4_000_000
"""Blank rows of one file that are passed over on the way to the next that holds anything; ours."""

SHEET_ROWS = 1_048_576
"""Of a sheet, as in Excel."""

MAX_PLACES = 20_000_000
"""Rows that hold anything times the widest one's columns: what is kept in memory at once; ours."""

MAX_COLUMNS = 500
"""Columns of one sheet that are read; ours."""

Row = list[str]

BLANK: Row = []
"""Every blank row of a sheet is this one: a gap of a million rows costs eight megabytes."""


class CellRange(NamedTuple):
    """A rectangle of cells, 0-based, both ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell lies in the rectangle."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    @property
    def name(self) -> str:
        """As spreadsheets write it: "A3:F20"."""
        return f"{column_name(self.left)}{self.top + 1}:{column_name(self.right)}{self.bottom + 1}"


class NamedTable(NamedTuple):
    """A table that the author marked as one: its range, its name, how many rows of it are header."""

    place: CellRange
    name: str
    header_rows: int


@dataclass
class Sheet:
    """The cells of one sheet; rows may have different lengths, and an empty cell is an empty string.

    ``spans`` are merged cells, whose text stands in the first one. ``links`` are the addresses that cells lead to,
    by row and column; those within the workbook start with "#". ``emphasised`` are rows set in bold or on colour.
    """

    name: str
    rows: list[Row]
    spans: list[CellRange] = field(default_factory=list)
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    tables: list[NamedTable] = field(default_factory=list)
    emphasised: set[int] = field(default_factory=set)


def column_name(column: int) -> str:
    """The letters of a column, 0-based: 0 is A, 26 is AA."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


_REFERENCE = re.compile(r"^\$?([A-Z]{1,3})\$?(\d{1,7})(?::.*)?$", re.I)


def parse_reference(reference: str) -> tuple[int, int] | None:
    """Row and column, 0-based, of "B7", "$B$7" or the start of "B7:C9"; None for anything else."""
    found = _REFERENCE.match(reference.strip())
    if not found or int(found.group(2)) < 1:
        return None
    column = 0
    for letter in found.group(1).upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found.group(2)) - 1, column - 1


def cell_range(reference: str | None) -> CellRange | None:
    """The range that "A1:C3" or "B2" names; None for anything else."""
    first, _, last = (reference or "").partition(":")
    start, end = parse_reference(first), parse_reference(last or first)
    if start is None or end is None:
        return None
    return CellRange(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
