"""Sheets: shown cell text, spans and links, and the bounds on what is read of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from backtrail.ingest.draft import Draft

MAX_CELLS = 1_000_000
"""Most filled cells of one file: they take about a gigabyte in the corpus; a note names the rest."""

MAX_ROWS = 200_000
"""Most non-blank rows of one sheet (ours)."""

SHEET_ROWS = 1_048_576
"""Rows of a sheet in Excel."""

MAX_BLANK_ROWS = 4 * SHEET_ROWS
"""Most blank rows before filled ones in one file (ours)."""

MAX_PLACES = 20_000_000
"""Most non-blank rows times columns of the widest one, which are in memory at once (ours)."""

MAX_COLUMNS = 500
"""Most columns of one sheet (ours)."""

ROW_CELLS = 16_384
"""Cells of a row in Excel."""

MAX_SPANS = MAX_LINKS = 50_000
"""Most merged cells, and most links, of one sheet (ours)."""

Row = list[str]

BLANK: Row = []
"""The shared list of all blank rows, so that a gap of a million rows takes only eight megabytes."""


class CellRange(NamedTuple):
    """A rectangle of cells, 0-based, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass
class Sheet:
    """The cells of one sheet; rows may have different lengths, and an empty cell is an empty string.

    ``spans`` are merged cells, with text in the first cell. ``links`` are addresses by row and column; those within the
    workbook start with "#". ``drawn`` are charts, pictures and text in shapes.
    """

    name: str
    rows: list[Row] = field(default_factory=list)
    spans: list[CellRange] = field(default_factory=list)
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    drawn: list[Draft] = field(default_factory=list)


class CellBudget:
    """Counter of cells and blank rows of a file, and of rows and columns of the current sheet."""

    def __init__(self) -> None:
        self._cells = self._blank_rows = 0
        self._begin()

    def _begin(self) -> None:
        self._filled_rows = self._widest = self._width = self._next = 0
        self._full = ""

    def take(self, rows: list[Row], row: Row, number: int, width: int = 0) -> bool:
        """Append a non-blank row to the rows of a sheet; return False, and do not, beyond a bound.

        Args:
            rows: rows so far, blank ones included.
            row: its cells up to the last filled one.
            number: its 0-based number; skipped rows are blank.
            width: its number of columns, if larger than the length of ``row``.
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
        """Return notes on what was not read of the current sheet, and start the next one."""
        found = [f"row {self._next:,} and what follows were not read: {self._full}"] if self._full else []
        if self._width > MAX_COLUMNS:
            found.append(f"only {MAX_COLUMNS} of {self._width:,} columns were read")
        self._begin()
        return [f"sheet {sheet!r}: {note}" for note in found] if sheet else found


_REFERENCE = re.compile(r"^\$?([A-Z]{1,3})\$?(\d{1,7})(?::.*)?$", re.I)


def parse_reference(reference: str) -> tuple[int, int] | None:
    """Return 0-based row and column of "B7", "$B$7" or the start of "B7:C9"; None if invalid."""
    found = _REFERENCE.match(reference.strip())
    if not found or int(found.group(2)) < 1:
        return None
    column = 0
    for letter in found.group(1).upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found.group(2)) - 1, column - 1


def cell_range(reference: str | None) -> CellRange | None:
    """Return the range of "A1:C3" or "B2"; None if invalid."""
    first, _, last = (reference or "").partition(":")
    start, end = parse_reference(first), parse_reference(last or first)
    if start is None or end is None:
        return None
    return CellRange(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
