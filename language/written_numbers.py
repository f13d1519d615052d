"""Numbers and months of a text, comparable across notations: "3,790", "3 790" and "3790" are one number.

A notation with two readings has both: "3.655" is a decimal and, with a separator of thousands, 3655. Digits of any
script count, number words of English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from backtrail.language.vocabulary import MONTHS, NUMBER_WORDS

Value = Decimal | str
"""A number, a dotted version or date as written, or a month as "month 3"."""

_SPACES = " \u00a0\u2009\u202f’'"
_NUMBER = re.compile(rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*")
_FORMS = (
    re.compile(r"(?P<whole>\d{1,3}(?P<mark>[.,])\d{3}(?:(?P=mark)\d{3})*)(?:(?!(?P=mark))[.,](?P<part>\d+))?"),
    re.compile(r"(?P<whole>\d+)(?:[.,](?P<part>\d+))?"),
)
_MAGNITUDE = re.compile(r"\s*(?:(thousand|k)|(million|mn|m)|(billion|bn|b)|(trillion))\b", re.IGNORECASE)
_MONTH = re.compile(rf"\b(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b", re.IGNORECASE)
_NUMERIC_DATE = re.compile(r"(?<!\d)\d{1,4}([-/.])(\d{1,2})\1(\d{1,4})(?!\d)")
_WORD = re.compile(r"[a-z]+")
_MONTH_STARTS = "janfebmaraprmayjunjulaugsepoctnovdec"
LONGEST = 40
"""Characters of a number; longer runs of digits are identifiers and compared as written."""


def numbers_in(text: str) -> Iterator[tuple[str, frozenset[Value], tuple[Value, ...]]]:
    """Yield each number as written, its readings, and its parts where it may be several numbers (dates, "2004 300")."""
    for match in _NUMBER.finditer(text):
        written = match.group()
        read = _readings(written)
        parts = [Decimal(part) for part in re.findall(r"\d+", written) if len(part) <= LONGEST]
        apart = " " in written or any(isinstance(one, str) for one in read)
        if scale := _MAGNITUDE.match(text, match.end()):
            thousands = Decimal(1000) ** next(power for power, word in enumerate(scale.groups(), 1) if word)
            read = read | {one * thousands for one in read if isinstance(one, Decimal)}
        yield written, read, tuple(parts) if apart else ()


def months_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each English name of a month as written, with its value."""
    for match in _MONTH.finditer(text):
        yield match.group(), f"month {_MONTH_STARTS.index(match.group()[:3].casefold()) // 3 + 1}"


def values_in(text: str) -> frozenset[Value]:
    """Return everything that a number or month of another text may equal: all readings, parts and number words."""
    found: set[Value] = set()
    for _, month in months_in(text):
        found.update((month, Decimal(month.removeprefix("month "))))
    for _, read, parts in numbers_in(text):
        found.update(read, parts)
    for date in _NUMERIC_DATE.finditer(text):
        found.update(f"month {int(part)}" for part in date.groups()[1:])
    found.update(Decimal(NUMBER_WORDS[word]) for word in _WORD.findall(text.casefold()) if word in NUMBER_WORDS)
    return frozenset(found)


def _readings(written: str) -> frozenset[Value]:
    plain = re.sub(f"[{_SPACES}]", "", written)
    matches = [form.fullmatch(plain) for form in _FORMS] if len(plain) <= LONGEST else []
    found = {Decimal(f"{re.sub('[.,]', '', one['whole'])}.{one['part'] or 0}") for one in matches if one}
    return frozenset(found or {plain})
