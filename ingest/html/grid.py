"""Arrange cells with spans in a grid (simplified algorithm of the HTML standard, section 4.9.12).

Where the standard lets cells overlap, the first keeps the slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_COLUMNS = 1000
"""The standard's limit of colspan; here also of a row."""

MAX_SLOTS = 500_000
"""Slots covered by spans after which spans count as 1, so that hostile spans cannot fill the memory."""

Grid = list[list[int | None]]


@dataclass(frozen=True)
class Span:
    """Columns and rows that a cell covers; ``rows`` 0 means the rest of its row group."""

    columns: int = 1
    rows: int = 1


def parse_span(value: str | None, zero: int = 1) -> int:
    """Parse a colspan or rowspan as browsers do: leading digits; invalid is 1, zero is ``zero``."""
    digits = ""
    for character in (value or "").strip():
        if not ("0" <= character <= "9") or len(digits) == 6:
            break
        digits += character
    number = int(digits) if digits else 1
    return number if number > 0 else zero


def resolve_grid(rows: Sequence[Sequence[Span]], groups: Sequence[int] | None = None) -> Grid:
    """Return a rectangle whose slots contain the index of their cell in reading order, or None.

    Args:
        rows: spans of the cells of each row, in order.
        groups: the row group (thead, tbody, tfoot) of each row; a span ends with its group. All one group if None.

    Columns in which no cell starts are dropped: they come only from spans that are too wide.
    """
    group_ends = _group_ends(groups if groups is not None else [0] * len(rows))
    slots: list[dict[int, int]] = [{} for _ in rows]
    starts: set[int] = set()
    index = covered = 0
    for number, row in enumerate(rows):
        column = 0
        for claimed in row:
            span = claimed if covered < MAX_SLOTS else Span()
            while column in slots[number]:
                column += 1
            if column < MAX_COLUMNS:
                starts.add(column)
                last = group_ends[number] if span.rows == 0 else min(number + span.rows, group_ends[number])
                width = min(span.columns, MAX_COLUMNS - column)
                _cover(slots, range(number, last), range(column, column + width), index)
                covered += (last - number) * width - 1
                column += span.columns
            index += 1
    columns = sorted(starts)
    return [[taken.get(column) for column in columns] for taken in slots]


def _cover(slots: list[dict[int, int]], rows: range, columns: range, index: int) -> None:
    for row in rows:
        for column in columns:
            slots[row].setdefault(column, index)


def _group_ends(groups: Sequence[int]) -> list[int]:
    """Return for each row the number of the first row after its group."""
    ends = [len(groups)] * len(groups)
    for number in range(len(groups) - 2, -1, -1):
        ends[number] = ends[number + 1] if groups[number] == groups[number + 1] else number + 1
    return ends
