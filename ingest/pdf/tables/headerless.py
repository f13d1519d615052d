"""Detect tables without a header, cell by cell.

Column names and cells are both words. So a first row belongs to the body only if a column clearly shows it: a date
above dates, an address above addresses, a number above numbers of the same pattern ("34086-9"); or a code above codes
of its length beside a phrase that begins like phrases below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import median

from backtrail.ingest.sheets.cell_kinds import is_date, is_missing
from backtrail.ingest.sheets.sheet import Row

_FEWEST = 4
"""Minimum of rows below the first to decide."""
_NEARLY_ALL = 0.95
_LONGEST_PATTERN = 40
_LONGEST_CODE = 5
_PHRASE_WORDS = 4
_OPENING_WORDS = 2
_ADDRESS = re.compile(r"https?://\S+|[^\s@]+@[^\s@]+\.\w+|(?:\d{1,3}\.){3}\d{1,3}(?:/\d+)?", re.I)


def is_like_the_rows_below(first: Row, body: Sequence[Row]) -> bool:
    """Whether a possible header row is a row of the body."""
    if len(body) < _FEWEST:
        return False
    code = phrase = False
    for column, cell in enumerate(first):
        below = [row[column].strip() for row in body if row[column].strip() and not is_missing(row[column])]
        cell = cell.strip()
        if not cell or len(below) < _FEWEST:
            continue
        if _is_of_one_kind(cell, below):
            return True
        code = code or _is_code(cell, below)
        phrase = phrase or _is_phrase(cell, below)
    return code and phrase


def _is_of_one_kind(cell: str, below: list[str]) -> bool:
    if is_date(cell):
        return not cell.isdigit() and _most(is_date(one) for one in below)
    if _ADDRESS.fullmatch(cell):
        return _most(bool(_ADDRESS.fullmatch(one)) for one in below)
    pattern = _pattern(cell)
    return bool(pattern) and _most(_pattern(one) == pattern for one in below)


def _pattern(cell: str) -> str:
    """Return the pattern of letters and digits, runs collapsed ("A9-9"); empty if it is not such a number."""
    if not 4 <= len(cell) <= _LONGEST_PATTERN or sum(sign.isdigit() for sign in cell) < 3 or " " in cell:
        return ""
    kinds = ("9" if sign.isdigit() else "A" if sign.isalpha() else sign for sign in cell)
    return "".join(kind for kind, _ in groupby(kinds))


def _is_code(cell: str, below: list[str]) -> bool:
    """Whether a cell is a code like those below: of the same length, in capitals and digits."""

    def coded(one: str) -> bool:
        return one.isalnum() and one == one.upper() and len(one) == len(cell)

    return len(cell) <= _LONGEST_CODE and coded(cell) and _most(coded(one) for one in below)


def _is_phrase(cell: str, below: list[str]) -> bool:
    """Whether a cell is a phrase like those below: with the same beginning as some, and about as long."""
    words = cell.split()
    if len(words) < _PHRASE_WORDS or 2 * len(cell) < median(len(one) for one in below):
        return False
    alike = sum(one.split()[:_OPENING_WORDS] == words[:_OPENING_WORDS] for one in below)
    return alike >= 2


def _most(answers: Iterable[bool]) -> bool:
    found = list(answers)
    return sum(found) >= _NEARLY_ALL * len(found)
