"""Periods and versions in a text: fiscal years, quarters, months, days ("Q1 2023", "FY19", "1 July 2022", "v0.104").

A period is written as a prefix of an ISO date, or with a quarter: "2023", "2023-Q1", "2023-07", "2023-07-01".
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache

from babel import Locale

_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "pl", "fi", "tr", "ru")
"""Languages of months; of an abbreviation that two of them have the first counts."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_DIGITS = r"(?:19|20)\d\d"
_YEAR = rf"{_DIGITS}(?!\d)"
_FISCAL = r"(?:(?:fiscal|calendar|financial)(?:\s+year)?|FY|CY)\s*'?"
_VERSION = r"\d+(?:\.\d+){%s}(?:[-.]?(?:a|b|rc|alpha|beta|post|dev)\.?\d*)?(?![a-z]|[\w.]*\d)"
_SAID_VERSION = re.compile(rf"(?<![\w.])(?:v|(?:version|release)s?\s+v?)({_VERSION % '0,3'})", re.I)
_PLAIN_VERSION = re.compile(rf"(?<![\w.,$€£])({_VERSION % '2,3'})", re.I)
_LOOSE_VERSION = re.compile(rf"(?<![\w.,$€£])({_VERSION % '1,3'})", re.I)
_UP_TO = re.compile(rf"\s*(?:-|–|—|to|through|until|till|bis|jusqu'à|hasta)\s*(?:{_FISCAL})?\s*", re.I)
_ENDED = re.compile(r"\b(quarter|quarterly period|months|weeks|year|period)\s+end(?:ed|ing)\s*:?\s*", re.I)
_WITHIN_QUARTER = dt.timedelta(weeks=1)
"""A fiscal quarter of whole weeks ends within a week of the calendar's."""


@lru_cache(1)
def _months() -> dict[str, int]:
    """Return the number of each month by its names in lower case."""
    found: dict[str, int] = {}
    for form in (form for language in _LANGUAGES for form in Locale(language).months.values()):
        for number, name in (*form["wide"].items(), *form["abbreviated"].items()):
            if not name.isdigit():
                found.setdefault(name.casefold().rstrip("."), number)
    return found


@lru_cache(1)
def _period() -> re.Pattern[str]:
    month = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    of = rf"(?:\s+of)?(?:\s+the)?\s*(?:{_FISCAL})?\s*'?"
    nth = r"first|second|third|fourth|[1-4](?:st|nd|rd|th|\.)?"
    return re.compile(
        rf"""(?<![\d.])(?:
        (?P<y>{_DIGITS})(?P<sep>[-._/]?)(?P<m>0[1-9]|1[0-2])(?:(?P=sep)(?P<d>0[1-9]|[12]\d|3[01]))(?!\d)
        |(?P<y0>{_DIGITS})-(?P<m0>0[1-9]|1[0-2])(?![\d-])
        |(?P<qy>{_YEAR})[\s-]*Q(?P<q>[1-4])\b
        |\b(?:Q(?P<q1>[1-4])|(?P<q2>[1-4])Q|(?P<q3>{nth})\s+(?:fiscal\s+)?(?:quarter|quartal|trimestre))
            {of}(?P<qy1>{_YEAR}|\d\d\b)
        |\b(?P<m1>{month})\.?\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y1>{_YEAR})
        |\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?(?P<m2>{month})\.?,?\s+(?:de\s+|del\s+)?(?P<y2>{_YEAR})
        |\b(?P<m3>{month})\.?,?\s+(?:de\s+|of\s+)?(?P<y3>{_YEAR})
        |\b{_FISCAL}\s*(?P<fy>{_YEAR}|\d\d\b)
        |(?P<year>{_YEAR})
        )""",
        re.I | re.X,
    )


def periods_in(text: str) -> list[str]:
    """Return the periods of a text in order, each once; "2019 to 2021" gives the years between, too."""
    found: list[str] = []
    end = 0
    for match in _period().finditer(text):
        period = _label(match)
        if found and _UP_TO.fullmatch(text, end, match.start()):
            found += _between(found[-1], period)
        found.append(period)
        end = match.end()
    return list(dict.fromkeys(found))


def _label(match: re.Match[str]) -> str:
    said = {name.rstrip("0123"): value for name, value in match.groupdict().items() if value is not None}
    if "q" in said:
        quarter = said["q"].casefold()
        return f"{_full(said['qy'])}-Q{_ORDINALS.get(quarter) or quarter[0]}"
    if "m" in said:
        month = int(said["m"]) if said["m"].isdigit() else _months()[said["m"].casefold().rstrip(".")]
        return f"{said['y']}-{month:02}" + (f"-{int(said['d']):02}" if "d" in said else "")
    return _full(said.get("fy") or said["year"])


def _full(year: str) -> str:
    return year if len(year) == 4 else f"20{year}"


def _between(first: str, last: str) -> Iterator[str]:
    """Yield the years, or quarters, between two."""
    if first.isdigit() and last.isdigit():
        yield from map(str, range(int(first) + 1, int(last)))
    elif "Q" in first and "Q" in last:
        one, other = (int(said[:4]) * 4 + int(said[-1]) - 1 for said in (first, last))
        yield from (f"{number // 4}-Q{number % 4 + 1}" for number in range(one + 1, other))


def periods_ended(text: str) -> list[str]:
    """Return the periods that a report says it covers: "for the quarterly period ended July 1, 2023".

    Gives the day, and the year or the quarter of the calendar that ends within a week of it.
    """
    for match in _ENDED.finditer(text):
        dated = _period().match(text, match.end())
        if dated is None or len(day := _label(dated)) != 10 or not _is_day(day):
            continue
        around = dt.date.fromisoformat(day) - _WITHIN_QUARTER
        quarterly = match[1].casefold() not in ("year", "period")
        return [f"{around.year}-Q{(around.month + 2) // 3}" if quarterly else day[:4], day]
    return []


def _is_day(period: str) -> bool:
    try:
        dt.date.fromisoformat(period)
    except ValueError:
        return False
    return True


def versions_in(text: str, *, asked: bool = False) -> list[str]:
    """Return the versions of a text without "v": "v2", "version 1.30", "0.104.0"; in a question also "0.104"."""
    patterns = (_SAID_VERSION, _LOOSE_VERSION if asked else _PLAIN_VERSION)
    return list(dict.fromkeys(match[1].casefold() for pattern in patterns for match in pattern.finditer(text)))


def without_periods(text: str) -> str:
    """Return a text without its periods and versions."""
    for pattern in (_period(), _SAID_VERSION, _PLAIN_VERSION):
        text = pattern.sub(" ", text)
    return " ".join(text.split()).strip(" -–.,:;")
