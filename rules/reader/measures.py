"""Whether a number in running text can measure what a question asks: "how long" wants hours or metres, not "294"."""

from __future__ import annotations

import re
from typing import Literal

from backtrail.language.amounts import asks_money
from backtrail.language.questions import QuestionShape
from backtrail.language.terms import stem

Dimension = Literal[
    "time",
    "length",
    "area",
    "mass",
    "speed",
    "share",
    "power",
    "temperature",
    "money",
    "times",
    "size",
    "frequency",
    "current",
    "voltage",
    "energy",
    "volume",
    "pressure",
    "clock",
]

_UNITS: dict[Dimension, str] = {
    "time": "year month week day d hour hr h minute min second sec msec ms µs us ns s millisecond"
    " microsecond nanosecond",
    "length": "kilometre kilometer metre meter centimetre centimeter millimetre millimeter km m cm mm mile mi foot feet"
    " ft inch inche",
    "area": "hectare ha acre km² km2",
    "mass": "kilogram kilogramme gram gramme milligram kg g ton tonne pound lb oz ounce",
    "speed": "mph km/h knot kt",
    "share": "% percent cent",
    "power": "watt kw mw gw dbm",
    "temperature": "° °c °f degree",
    "money": "$ £ € dollar euro eur usd gbp chf sek nok dkk pln czk rub jpy cny cad aud",
    "times": "time annually yearly monthly weekly daily hourly quarterly nightly fortnightly once twice",
    "size": "byte kilobyte megabyte gigabyte terabyte kibibyte mebibyte gibibyte bit kb mb gb tb pb kib mib"
    " gib tib pib kbit kbps mbps gbps",
    "frequency": "hz khz mhz ghz rpm",
    "current": "amp ampere ma",
    "voltage": "volt kv mv",
    "energy": "wh kwh mwh gwh ah mah",
    "volume": "ml litre liter gallon cup tablespoon teaspoon tbsp tsp",
    "pressure": "psi kpa hpa millibar",
}  # fmt: skip
_DIMENSION_OF: dict[str, Dimension] = {unit: dimension for dimension, units in _UNITS.items() for unit in units.split()}
_SQUARED = frozenset(("square", "sq"))
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
    "often": frozenset(("time", "times", "share", None)),
    "frequently": frozenset(("time", "times", "share", None)),
    "much": frozenset(("mass", "length", "area", "share", "money", "power", "size", "volume", "energy")),
    "close": frozenset(("time", "length")),
    "hot": frozenset(("temperature",)),
    "cold": frozenset(("temperature",)),
    "warm": frozenset(("temperature",)),
    "soon": frozenset(("time",)),
    "quickly": frozenset(("time",)),
}
# Nouns that name a measure, and the dimensions of their values; a bare number will do beside these.
_NOUNS: dict[str, tuple[Dimension, ...]] = {
    "price cost fee fine salary wage budget fare rent revenue turnover": ("money",),
    "weight mass": ("mass",),
    "height width depth elevation altitude diameter circumference radius": ("length",),
    "distance length": ("length", "time"),
    "duration age half-life timeout interval delay": ("time",),
    "percentage percent share fraction proportion": ("share",),
    "area": ("area",),
    "speed": ("speed", "length"),
    "temperature": ("temperature",),
    "power": ("power",),
}
_OF_NOUN: dict[str, frozenset[Dimension]] = {
    stem(noun): frozenset(named) for nouns, named in _NOUNS.items() for noun in nouns.split()
}
_NOTHING = frozenset[Dimension]()
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,12})[)\]]")
# "P-2210", "B3": a code, however many digits it has.
_BARE = re.compile(r"-?\d+(?:[.,\s]\d+)*")
_CODE = re.compile(r"(?:^|(?<=\s))[^\W\d_]+-?\d")
_HOW = re.compile(r"\bhow\s+(\w+)(?:\s+(\w+))?", re.IGNORECASE)
_WORDS = re.compile(r"[$£€%]|°\s?[CF]?|km/h|[^\W\d]+[²2]?")
# "9 a.m." is no length.
_CLOCK = re.compile(r"[\d:]+\s?[ap]\.?m\.?", re.IGNORECASE)
# "6A" are amperes; a lone letter elsewhere is no unit.
_ELECTRIC = re.compile(r"[\d.,]+([AVW])")
_OF_SIGN: dict[str, Dimension] = {"A": "current", "V": "voltage", "W": "power"}
# "5m" is five minutes as well as metres.
_MINUTES = re.compile(r"\d+m")
# "How much extra does it wait" asks for a time, "how far has it fallen" for a share.
_LASTING = re.compile(r"\b(?:wait|delay|longer|last|time|extra|sooner|later|earlier)\w*\b", re.IGNORECASE)
_TIME: tuple[Dimension, ...] = ("time",)
_CHANGE: tuple[Dimension, ...] = ("share", "money")
_CHANGING = re.compile(
    r"\b(?:fall|fell|fallen|rise|rose|risen|drop|grow|grew|grown|increas|decreas|declin|shr[iu]nk|below|above|under|over|behind)\w*\b",
    re.IGNORECASE,
)


def dimensions_asked(question: str) -> frozenset[Dimension | None]:
    """The dimensions in which "how long", "how many kilograms", "how many people" can be answered; empty: any."""
    match = _HOW.search(question)
    if not match:
        return frozenset()
    word, counted = match.group(1).casefold(), (match.group(2) or "").casefold()
    if word == "many":
        unit = "area" if counted in _SQUARED else _of_unit(counted)
        return frozenset((unit, None)) if unit == "times" else frozenset((unit,))
    asked = _ASKED.get(word, frozenset())
    if word == "much" and _LASTING.search(question):
        return asked.union(_TIME)
    if word == "far" and _CHANGING.search(question):
        return asked.union(_CHANGE)
    return asked


def dimension(text: str, following: str = "") -> Dimension | None:
    """The dimension of a number with its unit ("39 seconds"), or of the word after it; None for a bare number."""
    words = [word.casefold().replace(" ", "") for word in _WORDS.findall(text)] + [following.casefold()]
    if _SQUARED & set(words):
        return "area"
    if _CLOCK.fullmatch(text):
        return "clock"
    if sign := _ELECTRIC.fullmatch(text):
        return _OF_SIGN[sign[1]]
    return next((found for word in words if (found := _of_unit(word))), None)


def _of_unit(word: str) -> Dimension | None:
    return _DIMENSION_OF.get(word) or _DIMENSION_OF.get(word.removesuffix("s"))


def measures(text: str, asked: frozenset[Dimension | None]) -> bool:
    """Whether a number with its unit is of one of these dimensions."""
    return dimension(text) in asked or ("time" in asked and _MINUTES.fullmatch(text) is not None)


def measured_in(shape: QuestionShape) -> frozenset[Dimension | None]:
    """The dimensions of what a question for a number asks, by "how …" or by its noun ("the price of"); empty: any."""
    if shape.kind != "number":
        return frozenset()
    if _HOW.search(shape.text):
        return dimensions_asked(shape.text)
    if asks_money(shape.text):
        return frozenset(("money", "share", None))
    named: set[Dimension | None] = {found for head in shape.heads for found in _OF_NOUN.get(head, _NOTHING)}
    return frozenset(named | {None} if named else named)


def counts(shape: QuestionShape) -> bool:
    """Whether a question asks how many of something there are: a bare number."""
    return shape.kind == "number" and dimensions_asked(shape.text) == {None}


def dimensions_of_column(title: str) -> frozenset[Dimension]:
    """What a header says its cells are measured in: "Price", "Power (kW)"; empty where it does not say."""
    units: set[Dimension] = {found for unit in _BRACKETED.findall(title) if (found := dimension(unit))}
    nouns: set[Dimension] = {found for word in title.casefold().split() for found in _OF_NOUN.get(stem(word), _NOTHING)}
    return frozenset(units or nouns)


def unit_of_column(title: str) -> str:
    """The unit that a header gives in brackets, as it is written: "EUR" of "Price (EUR)"; "" where it gives none."""
    return next((unit.strip() for unit in _BRACKETED.findall(title) if dimension(unit)), "")


def is_bare(text: str) -> bool:
    """Whether a text is nothing but a number."""
    return bool(_BARE.fullmatch(text))


def may_be_measured(text: str, column: str, asked: frozenset[Dimension | None], *, count: bool) -> bool:
    """Whether a cell can be what is asked: no price for a count, no code for a number, no hours for a price.

    Args:
        column: the header over it.
        count: whether a bare number of things is asked for.
    """
    if count and _CODE.search(text):
        return False
    if not asked:
        return True
    own = dimension(text)
    of = frozenset((own,)) if own else dimensions_of_column(column)
    return not of or bool(of & asked)
