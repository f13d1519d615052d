"""The value of a cell as its number format shows it, in a form that can be searched.

Shown are decimals, percent, units, groups of thousands and dates (as ISO 8601 writes them). A minus is a minus even
where the format has brackets or a colour for it, zero is a number even where the format has a dash, and colours and
alignment mean nothing.
"""

from __future__ import annotations

import datetime
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

_CURRENCY = re.compile(r"\[\$([^\[\]-]*)(?:-[^\[\]]*)?\]")
_DROPPED = re.compile(r"\[[^\[\]]*\]|_.|\*.")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|([$€£¥₹%°/:\-+ ()])')
_UNTIMED = re.compile(r'\[(?!h+\]|m+\]|s+\])[^\[\]]*\]|"[^"]*"|\\.|_.|\*.|AM/PM|general', re.I)
"""What of a format shows no part of a moment."""
_DIGITS = re.compile(r"([0#?,]*)(?:\.([0#?]*))?(,*)(?:[eE][+-][0#?]+)?")
_GROUPED = re.compile(r"[0#?],+[0#?]")
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)\s*([+-]?\d+(?:\.\d+)?)\]")
_SECTION = re.compile(r'(?:"[^"]*"|\\.|[_*].|\[[^\[\]]*\]|[^;])+|(?<=;)(?=;|$)|^(?=;)')
"""One part of a format; parts are for positive numbers, negative ones, zero and text, or have conditions."""
_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip


class _Shown(NamedTuple):
    """What a format adds: text before and behind, decimals (None for as many as there are), digits in all."""

    before: str
    behind: str
    decimals: int | None
    percent: bool = False
    digits: int = 0
    grouped: bool = False
    thousands: int = 0  # how often the number is divided by a thousand before it is shown


_AS_IT_IS = _Shown("", "", None)

LONGEST = 255
"""Characters of a format that are read: Excel's own bound."""


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
    number_format = number_format[:LONGEST]  # what a format adds is added to every cell
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
    shown = _shown(_section(value, number_format))
    scaled = abs(value) * 100 if shown.percent else abs(value)
    scaled = scaled / 1000**shown.thousands if shown.thousands else scaled
    if shown.decimals is None or scaled >= 1e15 or scaled != scaled:
        text = f"{scaled:.12g}" if isinstance(scaled, float) else str(scaled)
    else:
        text = f"{scaled:{',' if shown.grouped else ''}.{shown.decimals}f}"
        if value and not text.strip("0.,"):  # too small for its format: say what it is
            text = f"{scaled:.3g}"
        elif shown.digits and text.isdigit():  # codes such as 00042
            text = text.zfill(shown.digits)
    minus = "-" if value < 0 and "-" not in shown.before.strip()[:1] + shown.before.strip()[-1:] else ""
    return f"{minus}{shown.before}{text}{shown.behind}".strip()


def _section(value: float, number_format: str) -> str:
    """The part of a format that is for this number; the first one where that part has no digits to show."""
    sections = _sections(number_format)
    conditions = [_CONDITION.search(section) for section in sections[:3]]
    if any(conditions):
        held = (section for section, condition in zip(sections, conditions, strict=False)
                if condition is None or _HOLDS[condition.group(1)](value, float(condition.group(2))))  # fmt: skip
        chosen = next(held, sections[0])
    else:
        place = 1 if value < 0 else 2 if value == 0 else 0
        chosen = sections[place] if place < min(len(sections), 3) else sections[0]
    return chosen if _shown(chosen).decimals is not None else sections[0]


@lru_cache(maxsize=1024)
def _sections(number_format: str) -> tuple[str, ...]:
    return tuple(match.group() for match in _SECTION.finditer(number_format)) or ("",)


@lru_cache(maxsize=1024)
def _shown(section: str) -> _Shown:
    if section.casefold() in ("general", "@", ""):
        return _AS_IT_IS
    section = _DROPPED.sub("", _CURRENCY.sub(lambda found: f'"{found.group(1)}"', section))
    quoted = [match.span() for match in _LITERAL.finditer(section) if match.group(1) is not None or match.group(2)]
    digits = next(
        (
            match
            for match in _DIGITS.finditer(section)
            if match.group().strip(",.") and not any(start <= match.start() < end for start, end in quoted)
        ),
        None,
    )
    if digits is None:
        return _AS_IT_IS
    if "E" in digits.group().upper() or ("?" in section and "/" in section):  # powers of ten, fractions
        return _AS_IT_IS
    before, behind = _literals(section[: digits.start()]), _literals(section[digits.end() :])
    whole, decimals, after = digits.groups()
    scaled = len(after) + (len(whole) - len(whole.rstrip(",")))
    return _Shown(
        before.replace("%", ""),
        behind,
        len(decimals or ""),
        percent="%" in before + behind,
        digits=len(whole) if set(digits.group()) == {"0"} else 0,
        grouped=_GROUPED.search(whole) is not None,
        thousands=scaled,
    )


def _literals(part: str) -> str:
    found = ("".join(text for text in match.groups() if text) for match in _LITERAL.finditer(part))
    return re.sub(r"[()]", "", "".join(found))
