"""A sheet as people see it: the text of its cells, what spans and links; and how much of a file is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from backtrail.ingest.draft import Draft

MAX_CELLS = 1_000_000
"""Cells of one file that are read: what is stored and searched of them takes about a gigabyte; the rest is named."""

MAX_ROWS = 200_000
"""Rows of one sheet that hold anything and are read; ours."""

SHEET_ROWS = 1_048_576
"""Of a sheet, as in Excel."""

MAX_BLANK_ROWS = 4 * SHEET_ROWS
"""Blank rows of one file that are passed over on the way to the next that holds anything; ours."""

MAX_PLACES = 20_000_000
"""Rows that hold anything times the widest one's columns: what is kept in memory at once; ours."""

MAX_COLUMNS = 500
"""Columns of one sheet that are read; ours."""

ROW_CELLS = 16_384
"""In one row, as in Excel."""

MAX_SPANS = MAX_LINKS = 50_000
"""Merged cells and links of one sheet that are read; ours."""

Row = list[str]

BLANK: Row = []
"""Every blank row of a sheet is this one: a gap of a million rows costs eight megabytes."""


class CellRange(NamedTuple):
    """A rectangle of cells, 0-based, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass
class Sheet:
    """The cells of one sheet; rows may have different lengths, and an empty cell is an empty string.

    ``spans`` are merged cells, whose text stands in the first one. ``links`` are the addresses that cells lead to,
    by row and column; those within the workbook start with "#". ``drawn`` are charts,
    pictures and words in shapes.
    """

    name: str
    rows: list[Row] = field(default_factory=list)
    spans: list[CellRange] = field(default_factory=list)
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    drawn: list[Draft] = field(default_factory=list)


class CellBudget:
    """Counts filled cells and blank rows over all sheets of a file, and rows and columns of the sheet being read."""

    def __init__(self) -> None:
        self._cells = self._blank_rows = 0
        self._begin()

    def _begin(self) -> None:
        self._filled_rows = self._widest = self._width = self._next = 0
        self._full = ""

    def take(self, rows: list[Row], row: Row, number: int, width: int = 0) -> bool:
        """Add a row that holds something to those of a sheet, and say whether it may be added.

        Args:
            rows: those that are kept, one for each number.
            row: its cells up to the last that is filled.
            number: 0-based; rows that are passed over are blank.
            width: the columns that it has, where more than are given.
        """
        self._width = max(self._width, width, len(row))
        del row[MAX_COLUMNS:]
        self._blank_rows += max(0, number - len(rows))
        self._widest = max(self._widest, len(row))
        self._filled_rows += 1
        self._cells += sum(1 for cell in row if cell)
        bounds = (
            (self._blank_rows, MAX_BLANK_ROWS, "blank rows in the file"), (self._cells, MAX_CELLS, "cells in the file"),
            (self._filled_rows, MAX_ROWS, "rows"), (self._filled_rows * self._widest, MAX_PLACES, "rows times columns"),
        )  # fmt: skip
        for count, most, what in bounds:
            if count > most:
                self._full, self._next = f"more than {most:,} {what}", number + 1
                return False
        rows.extend([BLANK] * (number - len(rows)))
        rows.append(row)
        return True

    def notes(self, sheet: str = "") -> list[str]:
        """What was left out of the sheet that was just read; the next one starts afresh."""
        found = [f"row {self._next:,} and what follows were not read: {self._full}"] if self._full else []
        if self._width > MAX_COLUMNS:
            found.append(f"only {MAX_COLUMNS} of {self._width:,} columns were read")
        self._begin()
        return [f"sheet {sheet!r}: {note}" for note in found] if sheet else found


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
