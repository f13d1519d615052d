"""Units: "how long" asks for hours or metres, "how many" for a bare number."""

from __future__ import annotations

import re

from backtrail.language.questions import QuestionShape

_UNITS = {
    "time": "years? months? weeks? days? hours? hrs? h minutes? mins? seconds? secs? s ms µs ns milliseconds?",
    "length": "(?:kilo|centi|milli)?met(?:re|er)s? km m cm mm miles? mi feet foot ft inch(?:es)?",
    "area": "hectares? ha acres? km² km2 m² square sq",
    "mass": "kilogram(?:me)?s? gram(?:me)?s? kg g mg tons? tonnes? pounds? lbs? oz ounces?",
    "speed": "mph km/h knots? kt",
    "share": "% percent cent",
    "power": "watts? [kmg]w",
    "temperature": "°c? °f? degrees?",
    "money": "[$£€] dollars? euros? eur usd gbp chf",
    "times": "times? once twice",
    "size": "(?:kilo|mega|giga|tera)?bytes? [kmgtp]i?b bits?",
    "volume": "ml lit(?:re|er)s? gallons? cups?",
}
_UNIT = {
    name: re.compile(rf"(?<![^\W\d])(?:{'|'.join(units.split())})(?![^\W\d]|²)", re.IGNORECASE)
    for name, units in _UNITS.items()
}
_SQUARED = re.compile(r"\b(?:square|sq)\b", re.IGNORECASE)
_ASKED = {
    "long": "time length", "tall": "length", "high": "length", "deep": "length", "wide": "length", "far": "length",
    "heavy": "mass", "fast": "speed length", "old": "time number", "often": "time times share number",
    "much": "mass length area share money power size volume", "hot": "temperature", "cold": "temperature",
    "soon": "time", "quickly": "time",
}  # fmt: skip
_HOW = re.compile(r"\bhow\s+(\w+)(?:\s+(\w+))?", re.IGNORECASE)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,12})[)\]]")


def measure(text: str) -> str:
    """Return the quantity of a number's unit ("time" of "39 seconds"); "number" without a unit."""
    if _SQUARED.search(text):
        return "area"
    return next((name for name, pattern in _UNIT.items() if pattern.search(text)), "number")


def measures_asked(shape: QuestionShape) -> frozenset[str]:
    """Return the quantities that a question's number may measure; empty if unknown."""
    asked = _HOW.search(shape.text) if shape.kind == "number" else None
    if asked is None:
        return frozenset()
    word, unit = asked[1].casefold(), asked[2] or ""
    return frozenset([measure(unit)] if word == "many" else _ASKED.get(word, "").split())


def may_measure(text: str, asked: frozenset[str], column: str = "") -> bool:
    """Whether a number fits the question, by its own unit or by the one in brackets in its column name."""
    own = measure(text)
    if own == "number":
        own = next((found for unit in _BRACKETED.findall(column) if (found := measure(unit)) != "number"), own)
    return not asked or own in asked or (own == "number" and bool(column))
