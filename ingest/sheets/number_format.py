"""The value of a cell as its number format shows it, in a form that can be searched.

Shown are decimals, percent, units and dates (as ISO 8601 writes them). Groups of thousands are not, a minus is a
minus even where the format has brackets, and colours and alignment mean nothing.
"""

from __future__ import annotations

import datetime
import re
from functools import lru_cache
from typing import Any, NamedTuple

_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_DROPPED = re.compile(r"\[[^\]]*\]|_.|\*.")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|([$€£¥₹%°/:\-+ ()])')
_UNTIMED = re.compile(r'\[(?!h+\]|m+\]|s+\])[^\]]*\]|"[^"]*"|\\.|_.|\*.|AM/PM|general', re.I)
"""What of a format shows no part of a moment."""
_DIGITS = re.compile(r"[0#?,]*(?:\.([0#?]+))?(?:[eE][+-][0#?]+)?")


class _Shown(NamedTuple):
    """What a format adds: text before and behind, decimals (None for as many as there are), digits in all."""

    before: str
    behind: str
    decimals: int | None
    percent: bool
    digits: int = 0


def cell_text(value: Any, number_format: str = "General") -> str:
    """A cell's text.

    Args:
        value: as spreadsheet libraries give it: None, text, a number, a truth value, a date, a time or a duration.
        number_format: as spreadsheets write it ("0.0%").
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, number_format)
    if isinstance(value, datetime.datetime):
        return _moment(value, number_format)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _moment(value: datetime.datetime, number_format: str) -> str:
    """A day, a time, or both, as the format has them; to the minute where there are no seconds to show."""
    shown = _UNTIMED.sub("", number_format.partition(";")[0]).casefold()
    day, time = any(mark in shown for mark in "yd"), any(mark in shown for mark in "hs")
    if day and not time:
        return value.date().isoformat()
    seconds = value.second and (not time or "s" in shown)
    precision = "seconds" if seconds else "minutes"
    if time and not day:
        return value.time().isoformat(precision)
    return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", precision)


def _number(value: float, number_format: str) -> str:
    shown = _shown(number_format)
    scaled = value * 100 if shown.percent else value
    if shown.decimals is None or abs(scaled) >= 1e15:
        text = f"{scaled:.12g}" if isinstance(scaled, float) else str(scaled)
    else:
        text = f"{scaled:.{shown.decimals}f}"
        if float(text) == 0 and value:  # too small for its format: say what it is
            text = f"{scaled:.3g}"
        elif shown.digits and text.isdigit():  # codes such as 00042
            text = text.zfill(shown.digits)
    return f"{shown.before}{text}{shown.behind}".strip()


@lru_cache(maxsize=1024)
def _shown(number_format: str) -> _Shown:
    section = number_format.partition(";")[0]
    if section.casefold() in ("general", "@", ""):
        return _Shown("", "", None, False)
    section = _DROPPED.sub("", _CURRENCY.sub(lambda found: f'"{found.group(1)}"', section))
    quoted = [match.span() for match in _LITERAL.finditer(section) if match.group(1) is not None or match.group(2)]
    digits = next(
        (
            match
            for match in _DIGITS.finditer(section)
            if match.group().strip(",") and not any(start <= match.start() < end for start, end in quoted)
        ),
        None,
    )
    if digits is None:
        return _Shown("", "", None, False)
    before, behind = _literals(section[: digits.start()]), _literals(section[digits.end() :])
    if "E" in digits.group().upper() or ("?" in section and "/" in section):  # powers of ten, fractions
        return _Shown("", "", None, False)
    padded = len(digits.group()) if set(digits.group()) == {"0"} else 0
    return _Shown(before.replace("%", ""), behind, len(digits.group(1) or ""), "%" in before + behind, padded)


def _literals(part: str) -> str:
    found = ("".join(text for text in match.groups() if text) for match in _LITERAL.finditer(part))
    return re.sub(r"[()]", "", "".join(found))
