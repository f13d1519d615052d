"""Whether a number in running text can measure what a question asks: "how long" wants hours or metres, not "294"."""

from __future__ import annotations

import re
from typing import Literal

Dimension = Literal["time", "length", "area", "mass", "speed", "share", "power", "temperature", "money", "times"]

_UNITS: dict[Dimension, str] = {
    "time": "year month week day hour h minute min second",
    "length": "kilometre kilometer metre meter centimetre centimeter millimetre millimeter km m cm mm mile mi foot feet"
    " ft inch inche",
    "area": "hectare ha acre km² km2",
    "mass": "kilogram kilogramme gram gramme milligram kg g ton tonne pound lb",
    "speed": "mph km/h",
    "share": "% percent cent",
    "power": "watt kw",
    "temperature": "°c °f",
    "money": "$ £ € dollar euro",
    "times": "time",
}  # fmt: skip
_DIMENSION_OF: dict[str, Dimension] = {unit: dimension for dimension, units in _UNITS.items() for unit in units.split()}
# What the word after "how" measures; None in a set stands for a bare number.
_ASKED: dict[str, frozenset[Dimension | None]] = {
    "long": frozenset(("time", "length")),
    "tall": frozenset(("length",)),
    "high": frozenset(("length",)),
    "deep": frozenset(("length",)),
    "wide": frozenset(("length",)),
    "far": frozenset(("length",)),
    "heavy": frozenset(("mass",)),
    "fast": frozenset(("speed", "length")),
    "old": frozenset(("time", None)),
    "much": frozenset(("mass", "length", "area", "share", "money", "power")),
}
_HOW = re.compile(r"\bhow\s+(\w+)(?:\s+(\w+))?", re.IGNORECASE)
_WORDS = re.compile(r"[$£€%]|°[CF]|km/h|[^\W\d]+[²2]?")


def dimensions_asked(question: str) -> frozenset[Dimension | None]:
    """The dimensions in which "how long", "how many kilograms", "how many people" can be answered; empty: any."""
    match = _HOW.search(question)
    if not match:
        return frozenset()
    word, counted = match.group(1).casefold(), (match.group(2) or "").casefold()
    if word == "many":
        unit = _DIMENSION_OF.get(counted.removesuffix("s"))
        return frozenset((unit, None)) if unit == "times" else frozenset((unit,))
    return _ASKED.get(word, frozenset())


def dimension(text: str, following: str = "") -> Dimension | None:
    """The dimension of a number with its unit ("39 seconds"), or of the word after it; None for a bare number."""
    words = [word.casefold() for word in _WORDS.findall(text)] + [following.casefold()]
    return next((found for word in words if (found := _DIMENSION_OF.get(word.removesuffix("s")))), None)
