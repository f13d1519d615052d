"""Periods: parts of a year as reports write them, each in one way: "3QFY24" is the third quarter of fiscal 2024.

So are ordinals: "1st year" is the first.
"""

from __future__ import annotations

import re

_ORDINALS = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4"}
# A quarter or a half stands alone, or right before a year.
_AFTER = r"(?=\W|\d\d\b|\d{4}\b|FY|$)"
_QUARTER = re.compile(
    r"\b(?:(?P<ordinal>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter|quarter\s+(?P<after>[1-4])"
    rf"|(?P<before>[1-4])Q|Q(?P<sign>[1-4])){_AFTER}",
    re.IGNORECASE,
)
_HALF = re.compile(
    rf"\b(?:(?P<ordinal>first|second|1st|2nd)\s+half\s+of|(?P<before>[12])H|H(?P<sign>[12])){_AFTER}", re.IGNORECASE
)
_FISCAL = re.compile(r"\bFY\s?['’]?(?P<year>(?:20|19)?\d\d)\b")
_SHORT = re.compile(r"\b(?P<part>[QH]\d)\s*['’]?(?P<year>\d\d)\b")


_ORDINAL = re.compile(r"\b(?:1st|2nd|3rd|[4-9]th)\b", re.IGNORECASE)
_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def spelled(text: str) -> str:
    """The text with its quarters as "Q3", its halves as "H1", and fiscal years as "fiscal 2024", ordinals as words."""
    text = _QUARTER.sub(lambda match: f"Q{_number(match)} ", text)
    text = _HALF.sub(lambda match: f"H{_number(match)} ", text)
    text = _FISCAL.sub(lambda match: f"fiscal {_year(match['year'])}", text)
    text = _ORDINAL.sub(lambda match: _WORDS[int(match.group()[0]) - 1], text)
    return _SHORT.sub(lambda match: f"{match['part']} {_year(match['year'])}", text)


def _number(match: re.Match[str]) -> str:
    found = match.groupdict()
    return _ORDINALS.get((found["ordinal"] or "").casefold()) or found.get("after") or found["before"] or found["sign"]


def _year(text: str) -> str:
    return text if len(text) == 4 else f"20{text}"
