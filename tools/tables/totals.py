"""Find the rows of a table that sum up others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"(?:sub|grand )?totals?\b|overall\b|sum\b|summe\b|gesamt\b|somme\b", re.IGNORECASE)
_ADDENDS = 2

Numbers = Sequence[float | None]
"""The values of one numeric column, None where a cell has none."""


def total_rows(rows: Sequence[Sequence[str]], columns: Sequence[Numbers]) -> frozenset[int]:
    """Return the rows that sum up others (rule ours).

    The label begins with a word for a total, and the row is the last of its block, or a number in it is the sum of the
    rows before it back to the previous total, of these and that total, or of the rows after it up to the next one.

    Args:
        rows: the visible cells of each row; the label is the first that is filled.
        columns: the numeric columns.
    """
    named = [place for place, row in enumerate(rows) if _WORD.match(_label(row))]
    totals: list[int] = []
    for row, after in zip(named, [*named[1:], len(rows)], strict=False):
        summed = list(_summed(row, totals, after))
        if _ends_block(row, len(rows), columns) or any(_is_sum(one, row, run) for one in columns for run in summed):
            totals.append(row)
    return frozenset(totals)


def _label(row: Sequence[str]) -> str:
    """The first filled cell, without the groups that tables of PDFs name before the label."""
    return next((cell for cell in row if cell.strip()), "").rpartition(" / ")[2].strip()


def _summed(row: int, totals: Sequence[int], after: int) -> Iterator[range]:
    """The runs of rows that a row may be the total of."""
    yield range(totals[-1] + 1 if totals else 0, row)
    if totals:
        yield range(totals[-1], row)
    yield range(row + 1, after)


def _ends_block(row: int, count: int, columns: Sequence[Numbers]) -> bool:
    """Whether no row follows, or one without numbers: a heading or a blank row."""
    return row + 1 == count or (bool(columns) and all(column[row + 1] is None for column in columns))


def _is_sum(column: Numbers, row: int, summed: range) -> bool:
    addends = [value for place in summed if (value := column[place]) is not None]
    total = column[row]
    return bool(total) and len(addends) >= _ADDENDS and math.isclose(math.fsum(addends), total)
