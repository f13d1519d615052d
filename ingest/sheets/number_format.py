"""Cell values as searchable text, by their number format.

Applies decimals, percent, units and thousands separators; dates are ISO 8601. The section of a format for positive
numbers applies to all: negative numbers have a minus, and zero is a digit even if the format has a dash.
"""

from __future__ import annotations

import datetime
import re
from functools import lru_cache
from typing import Any, NamedTuple

_FIRST_PART = re.compile(r'(?:"[^"]*"|\\.|[_*].|\[[^\[\]]*\]|[^;])*')
_CURRENCY = re.compile(r"\[\$([^\[\]-]*)(?:-[^\[\]]*)?\]")
_DROPPED = re.compile(r"\[[^\[\]]*\]|_.|\*.")
_UNTIMED = re.compile(r'\[[^\[\]]*\]|"[^"]*"|\\.|_.|\*.')
"""Parts of a format that are not for date or time."""
_DURATION = re.compile(r"\[(?:h+|m+|s+)\]", re.I)
_SHOWN = re.compile(r'((?:"[^"]*"|\\.|[^0#?"\\])*)([0#?,]+)(?:\.([0#?]*))?(.*)', re.S)
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|([$€£¥₹%°/:\-+ ])')

LONGEST = 255
"""Most characters of a format: Excel's limit."""


class _Shown(NamedTuple):
    """Effect of a format: text around, decimals (None for all), least digits, thousands separators."""

    before: str = ""
    behind: str = ""
    decimals: int | None = None
    digits: int = 0
    grouped: bool = False


def cell_text(value: Any, number_format: str = "General") -> str:
    """Return the text of a cell.

    Args:
        value: None, text, number, boolean, date, time or duration.
        number_format: format code such as "0.0%".
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, number_format[:LONGEST])  # a long format would be repeated in every cell
    if isinstance(value, datetime.datetime):
        precision = "seconds" if value.second else "minutes"
        if value.year < 1900:  # a time without a date
            return value.time().isoformat(precision)
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", precision)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value).strip()


@lru_cache(maxsize=1024)
def is_moment(number_format: str) -> bool:
    """Return whether a format shows numbers as dates or times."""
    shown = _UNTIMED.sub("", _FIRST_PART.match(number_format[:LONGEST]).group())  # type: ignore[union-attr]
    return re.search(r"[ydhms]", shown, re.I) is not None


def moment(days: float, number_format: str, *, since_1904: bool = False) -> datetime.datetime | datetime.timedelta:
    """Return the date and time, or the duration, of a number of days.

    Raises:
        OverflowError: the date is out of range.
    """
    length = datetime.timedelta(seconds=round(days * 86400))
    if _DURATION.search(number_format):
        return length
    start = datetime.datetime(1904, 1, 1) if since_1904 else datetime.datetime(1899, 12, 30)
    # Excel counts a 29 February 1900, which did not exist
    return start + length + datetime.timedelta(days=not since_1904 and 1 <= days < 60)


def _number(value: float, number_format: str) -> str:
    shown = _shown(number_format)
    scaled = abs(value) * 100 if "%" in shown.before + shown.behind else abs(value)
    if shown.decimals is None or scaled >= 1e15 or scaled != scaled:
        text = f"{scaled:.12g}" if isinstance(scaled, float) else str(scaled)
    else:
        text = f"{scaled:0{shown.digits}{',' if shown.grouped else ''}.{shown.decimals}f}"
        if value and not text.strip("0.,"):  # too small for its format, which would show zero
            text = f"{scaled:.3g}"
    return f"{'-' if value < 0 else ''}{shown.before}{text}{shown.behind}".strip()


@lru_cache(maxsize=1024)
def _shown(number_format: str) -> _Shown:
    part = _FIRST_PART.match(number_format).group()  # type: ignore[union-attr]
    part = _DROPPED.sub("", _CURRENCY.sub(lambda found: f'"{found.group(1)}"', part))
    found = _SHOWN.match(part)
    # formats with exponents, fractions or scaling by thousands show the stored value
    if found is None or found[4][:1] in ("E", "e", ",") or found[2].endswith(",") or ("?" in part and "/" in part):
        return _Shown()
    digits = len(found[2]) if not found[2].strip("0") and not found[3] else 0
    return _Shown(_literals(found[1]), _literals(found[4]), len(found[3] or ""), digits, "," in found[2])


def _literals(part: str) -> str:
    return "".join("".join(filter(None, match.groups())) for match in _LITERAL.finditer(part))
