"""Kinds of cell text (number, date, missing), which distinguish headers from bodies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_NUMBER = re.compile(
    r"""[(\-−–+±~<>≤≥≈]*\s?[$€£¥₹]?\s?[\-−+]?
        (?:\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+|\d+)?(?:[.,]\d+)?(?:(?<=\d)[eE][+-]?\d+)?\s?[%)$€£¥₹]*""",
    re.X,
)
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:1[6-9]|20|21)\d\d(?:\s?[-/–]\s?\d{2,4})?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(?::\d{2})?")
_MISSING = frozenset({"-", "–", "—", "−", "n/a", "na", "n.a.", "nan", "null", "none", "#n/a", "?", ".", "..", "…", "x"})


def is_number(text: str) -> bool:
    """Return whether a text is a number, with optional sign, currency or percent."""
    text = text.strip()
    return len(text) < 40 and bool(_DIGIT.search(text)) and _NUMBER.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Return whether a text is a date, a time or a year."""
    text = text.strip()
    return len(text) < 40 and bool(_YEAR.fullmatch(text) or _DATE.fullmatch(text))


def is_missing(text: str) -> bool:
    """Return whether a text marks a missing value."""
    return text.strip().casefold() in _MISSING


def holds_values(row: Sequence[str]) -> bool:
    """Return whether a row has a number that is not a date or year; headers have none."""
    return any(cell and is_number(cell) and not is_date(cell) for cell in row)


def are_periods(row: Sequence[str]) -> bool:
    """Return whether a row's numbers (two or more) are column names: years, dates, consecutive integers."""
    cells = [cell.strip() for cell in row if cell.strip()]
    numbers = [cell for cell in cells if is_number(cell) or is_date(cell)]
    if len(numbers) < 2 or len(numbers) < len(cells) - 1:
        return False
    if all(is_date(cell) for cell in numbers):
        return True
    if not all(cell.isdigit() and len(cell) < 5 for cell in numbers):
        return False
    return all(int(b) == int(a) + 1 for a, b in pairwise(numbers))
