"""Dates of a question and of cells, as one: "24 Feb 2017", "2017-02-24", "02/24/17"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_WRITTEN = (
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_NAMES},?\s+(?P<year>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b{_NAMES}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b", re.IGNORECASE),
)
_ISO = re.compile(r"\b(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\b")
_SHORT = re.compile(
    r"(?<![\d/.-])(?P<one>\d{1,2})(?P<sign>[-/.])(?P<two>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2})(?![\d/-]|\.\d)"
)
DATE = "@"
"""Before a date as a term."""


def dates(text: str) -> frozenset[str]:
    """The dates of a text as terms; of "03/04/2023" both days that it may mean."""
    found: set[str] = set()
    for pattern in _WRITTEN:
        for match in pattern.finditer(text):
            found |= _term(int(match["year"]), _MONTHS.index(match["month"].casefold()) + 1, int(match["day"]))
    for match in _ISO.finditer(text):
        found |= _term(int(match["year"]), int(match["month"]), int(match["day"]))
    for match in _SHORT.finditer(text):
        year = int(match["year"]) + (2000 if len(match["year"]) == 2 else 0)
        found |= _term(year, int(match["one"]), int(match["two"])) | _term(year, int(match["two"]), int(match["one"]))
    return frozenset(found)


def date_texts(text: str) -> Iterator[re.Match[str]]:
    """Where dates stand in a text."""
    return (match for pattern in (*_WRITTEN, _ISO, _SHORT) for match in pattern.finditer(text))


def _term(year: int, month: int, day: int) -> set[str]:
    try:
        return {f"{DATE}{date(year, month, day).isoformat()}"}
    except ValueError:
        return set()
