"""Read the value of a table cell: a number with its unit, a range or a date. The visible text is kept elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

# marks of footnotes at the end: [1], [a], asterisks and daggers; after a number also (a), (iv) and raised digits
_FOOTNOTE = re.compile(r"(?:\[[\w*]{1,3}\]|[*†‡§]|(?<=[\d%)])\s?(?:\((?:[a-z]|[ivx]{1,4})\)|[¹²³⁰⁴-⁹]))$")
# the same quantity once more in another unit: a second line, or in parentheses
_CONVERSION = re.compile(r"\n[\s\S]*$|\([^()]*\d[^()]*\)$")
_NUMBER = r"\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_CURRENCY = r"US\$|[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY)\b"
_QUANTITY = re.compile(
    rf"(?P<before>{_CURRENCY})?\s*(?P<open>\()?\s*(?P<sign>[-+−–])?\s*(?P<inner>{_CURRENCY})?\s*(?P<number>{_NUMBER})\s*"
    rf"(?P<scale>thousand|million|billion|trillion|bn|mn|[kKMB]\b)?\s*(?P<percent>%)?\s*(?P<close>\))?\s*"
    rf"(?P<unit>%|{_CURRENCY}|[^\W\d]\S{{0,15}})?"
)
_RANGE = re.compile(rf"\s*({_NUMBER})\s*(?:-|–|—|to|bis)\s*({_NUMBER})\s*(%|[^\W\d]\S{{0,15}})?\s*")
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9,
           "trillion": 1e12}  # fmt: skip
_DATES = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%d.%m.%Y", "%B %Y", "%b %Y", "%Y-%m")
_EMPTY = frozenset({"", "-", "–", "—", "−", "n/a", "na", "n.a.", "nil", "none", "..", "...", "…", "?"})


@dataclass(frozen=True)
class Quantity:
    """A number as a cell shows it, with the unit or currency beside it ("%" for a percentage)."""

    number: float
    unit: str = ""


def without_footnotes(text: str) -> str:
    """Return a cell's text without footnote marks at its end."""
    text = text.strip()
    while (shorter := _FOOTNOTE.sub("", text).strip()) != text and shorter:
        text = shorter
    return text


def is_empty(text: str) -> bool:
    """Whether a cell says that there is no value."""
    return without_footnotes(text).casefold() in _EMPTY


def quantity(text: str, *, decimal_comma: bool = False) -> Quantity | None:
    """Return the number of a cell, None if the cell is not one number with at most a unit.

    Parentheses around a number make it negative, as in accounts. ``1.2 million`` is 1200000. Of ``5 km (3 mi)``
    the first quantity counts.
    """
    plain = without_footnotes(text)
    read = _one_quantity(plain, decimal_comma)
    if read is None and (shorter := _CONVERSION.sub("", plain).strip()) != plain:
        first = _one_quantity(shorter, decimal_comma)
        return first if first and first.unit else None
    return read


def _one_quantity(text: str, decimal_comma: bool) -> Quantity | None:
    match = _QUANTITY.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    number = _number(match["number"], decimal_comma)
    if number is None:
        return None
    if match["scale"]:
        number *= _SCALES[match["scale"].casefold()]
    negative = bool(match["open"]) or (match["sign"] or "+") != "+"
    unit = match["unit"] or match["percent"] or match["before"] or match["inner"] or ""
    return Quantity(-number if negative else number, unit)


def number_range(text: str, *, decimal_comma: bool = False) -> tuple[float, float] | None:
    """Return both ends of ``10–20``, None if the cell is no range or its ends are in the wrong order."""
    match = _RANGE.fullmatch(without_footnotes(text))
    if match is None:
        return None
    low, high = _number(match[1], decimal_comma), _number(match[2], decimal_comma)
    return (low, high) if low is not None and high is not None and low < high else None


def calendar_date(text: str) -> date | None:
    """Return the date of a cell in a format that has one reading; a month is its first day."""
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", without_footnotes(text))
    for form in _DATES:
        try:
            return datetime.strptime(plain, form).date()
        except ValueError:
            continue
    return None


def uses_decimal_comma(cells: list[str]) -> bool:
    """Whether a column writes 1.234,5: some cell can only be read so, and none can only be read the other way."""
    comma = re.compile(r"\.\d{3},\d+\b|(?<![\d.,])\d+,(?:\d{1,2}|\d{4,})\b(?!,)")
    point = re.compile(r",\d{3}(?:\.\d+)?\b|(?<![\d.,])\d+\.(?:\d{1,2}|\d{4,})\b(?!\.)")
    return any(comma.search(cell) for cell in cells) and not any(point.search(cell) for cell in cells)


def _number(digits: str, decimal_comma: bool) -> float | None:
    """Return the number; None for several decimal separators, as in an address or version (192.168.100)."""
    digits = re.sub(r"['\u2019\u00a0\u202f ]", "", digits)
    thousands, decimal = (".", ",") if decimal_comma else (",", ".")
    plain = digits.replace(thousands, "").replace(decimal, ".")
    return float(plain) if plain.count(".") < 2 else None
