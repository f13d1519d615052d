"""Detection of title and header rows of a block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from backtrail.ingest.sheets.blocks import Block, texts
from backtrail.ingest.sheets.cell_kinds import holds_values, is_number
from backtrail.ingest.sheets.sheet import Row

_MOST_HEADER_ROWS = 5
"""A bound; 10 changes none of 200 workbooks of Apache POI's tests, as all figures here, 1 loses the heads of four."""
_FULL = 0.5
"""Least share of a table's columns that have a name; corner and spacer columns have none. 0.75 changes ten."""
_GROUPED = 0.25
"""Least share of columns named only in the row below, so that the row above is of groups (ours). Without
groups, seven workbooks change."""
_BODY_SCANNED = 50
"""A bound; 5 changes one workbook."""


@dataclass(frozen=True)
class Layout:
    """Number of title rows, and of header rows after them; the other rows are the body."""

    titles: int
    header: int


def divide(block: Block, *, always_named: bool = False) -> Layout:
    """Find title and header of a block with at least two columns.

    Args:
        always_named: whether the first row is a header unless it looks like values, as in delimited files; otherwise a
            table of words needs bold names or more than two columns.
    """
    rows = block.rows
    titles = 0
    while titles < len(rows) - 1 and _is_title(rows[titles]):
        titles += 1
    return Layout(titles, _header_rows(rows[titles:], block.emphasised[titles:], always_named=always_named))


def merged_names(rows: Sequence[Row], width: int) -> tuple[str, ...]:
    """Return column names joined from all header rows, outermost first ("2023 / Sales")."""
    columns: list[str] = []
    for column in range(width):
        names = dict.fromkeys(" ".join(row[column].split()) for row in rows)
        columns.append(" / ".join(name for name in names if name))
    return tuple(columns)


def _is_title(row: Row) -> bool:
    """Return whether a row is blank or has one text, at the left or across merged cells, as in 19 workbooks."""
    found = texts(row)
    if not found:
        return True
    return len(found) == 1 and (row[0] == found[0]) and not is_number(found[0])


def _header_rows(rows: list[Row], emphasised: list[bool], *, always_named: bool) -> int:
    leading = [*takewhile(lambda row: not holds_values(row), rows[: min(_MOST_HEADER_ROWS + 1, len(rows) - 1)])]
    last = _names(leading, sum(1 for column in zip(*rows, strict=True) if any(column)))
    if last is None:
        return 0
    header = last + 1
    body = rows[header : header + _BODY_SCANNED]
    if any(holds_values(row) for row in body):
        return header
    return header if _names_words(rows[last], body, emphasised[: header + 1], always_named=always_named) else 0


def _names(candidates: list[Row], used: int) -> int | None:
    """Return the row of column names: the first that fills most columns; rows above it are of groups."""
    for number, row in enumerate(candidates):
        if sum(map(bool, row)) >= _FULL * used and not _grouped(candidates, number, used):
            return number
    return None


def _grouped(candidates: list[Row], number: int, used: int) -> bool:
    """Return whether the row below names columns that are blank here, or distinguishes equal names."""
    if number + 1 == len(candidates):
        return False
    row, below = candidates[number], candidates[number + 1]
    gaps = sum(1 for name, under in zip(row, below, strict=True) if under and not name)
    return gaps >= _GROUPED * used or _alike(candidates[: number + 2]) < _alike(candidates[: number + 1])


def _alike(rows: list[Row]) -> int:
    """Return how many columns repeat the name of another one."""
    names = [name for name in merged_names(rows, len(rows[0])) if name]
    return len(names) - len(set(names))


def _names_words(names: Row, body: list[Row], emphasised: list[bool], *, always_named: bool) -> bool:
    """Return whether a row names columns of words: cells differ, have no final colon, do not recur below.

    So it does in ten workbooks.
    """
    filled = [cell for cell in names if cell]
    if len(set(filled)) < len(filled) or any(cell.endswith(":") for cell in filled):
        return False
    if any(name and name == row[column] for row in body for column, name in enumerate(names)):
        return False
    if always_named or (emphasised and emphasised[0] and not all(emphasised)):
        return True
    return len(names) > 2 and len(filled) == len(names)
