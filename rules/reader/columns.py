"""Columns of a table read as measures: numbers and dates in cells, and the row a superlative means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import AGE_SUPERLATIVES, KIN, MONTHS, SUPERLATIVES, TIME_SUPERLATIVES

_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_YEAR = re.compile(r"\b(1\d{3}|20\d{2})\b")
_MONTH_ORDER = {month[:3]: place for place, month in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1)}  # fmt: skip
# A column is a measure when nearly all of its cells hold one; a few blanks and dashes are normal.
MEASURED_SHARE = 0.7


def measure(cell: str) -> float | None:
    """The first number of a cell ("35,000 (1998)" is 35000), or None."""
    match = _NUMBER.search(cell)
    return float(match.group().replace(",", "")) if match and len(match.group()) < 18 else None


def moment(cell: str) -> float | None:
    """A date or year of a cell as a number that orders it, or None."""
    year = _YEAR.search(cell)
    words = re.findall(r"[a-z]+", cell.casefold())
    month = next((_MONTH_ORDER[word[:3]] for word in words if word in MONTHS), 0)
    day = re.search(r"(?<!\d)(\d{1,2})(?!\d)", cell)
    if not year and not month:
        return None
    return (float(year.group()) if year else 0.0) + month / 13 + (float(day.group()) / 500 if day and month else 0.0)


def extreme_row(shape: QuestionShape, header: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """The row that a question's superlative picks: the greatest or least of the column it names.

    A superlative of time may also mean the only date column. None where no column is named or the
    extreme is shared.
    """
    if not shape.superlative or len(rows) < 2:
        return None
    column = _column(shape, header, rows)
    if column is None:
        return None
    timely = shape.superlative in TIME_SUPERLATIVES
    values = [(moment if timely else measure)(_cell(row, column)) for row in rows]
    direction = SUPERLATIVES[shape.superlative]
    if shape.superlative in AGE_SUPERLATIVES and "age" in header[column].casefold():
        values, direction = [measure(_cell(row, column)) for row in rows], -direction
    held = [value for value in values if value is not None]
    if not held:
        return None
    best = max(held) if direction > 0 else min(held)
    return values.index(best) if held.count(best) == 1 else None


def _cell(row: Sequence[str], column: int) -> str:
    return row[column] if column < len(row) else ""


def _column(shape: QuestionShape, header: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    timely = shape.superlative in TIME_SUPERLATIVES
    parse = moment if timely else measure
    wanted = shape.terms | frozenset(kin for term in shape.terms for kin in KIN.get(term, ()))
    measured = [
        index
        for index in range(len(header))
        if sum(parse(_cell(row, index)) is not None for row in rows) >= MEASURED_SHARE * len(rows)
        or (timely and "age" in header[index].casefold().split())
    ]
    named = [index for index in measured if content_terms(header[index]) & wanted]
    if named:
        return named[0]
    return measured[0] if timely and len(measured) == 1 else None
