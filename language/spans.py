"""Find spans of a sentence that can be an answer: names, dates, numbers, colours, noun phrases."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal

from backtrail.language.current_language import active_language, reads_english
from backtrail.language.stop_words import FUNCTION_WORDS, stop_words
from backtrail.language.vocabulary import COLOURS, MAGNITUDES, MONTHS, NUMBER_WORDS, AnswerKind

SpanKind = Literal["date", "year", "time", "number", "name", "nationality", "colour", "quoted", "phrase"]

_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_CLOCK = r"(?<![\w:.,-])\d{1,2}(?::\d\d)?\s?(?:[ap]\.m\.|[ap]m\b)"
_AT = rf"(?:,?\s+at\s+{_CLOCK})?"
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:(?:st|nd|rd|th)(?:\s+of)?)?\s+{_MONTH}(?:\s*,?\s*\d{{4}}\b)?{_AT}"
    rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!\d)(?:\s*,\s*\d{{4}}\b)?{_AT}"
    rf"|\b{_MONTH}\s+\d{{4}}\b|\b\d{{4}}-\d\d-\d\d\b"
    r"|(?<![\w./-])(?:\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)|\d{1,2}([.-])\d{1,2}\1(?:19|20)\d\d|(?:1\d|20)\d\d/\d{1,2}/\d{1,2})(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,$£€])(?:1\d{3}|20\d{2})\b(?![.,]\d)")
_TIME = re.compile(
    r"(?<![\w:.,])(?:\d{1,2}(?::\d\d){1,2}(?:\.\d+)?(?:\s?[ap]\.?m\b\.?)?|\d{1,2}(?:\.\d\d)?\s?(?:[ap]\.?m\b\.?|o['’]clock\b))(?![\w:])"
    r"|\b(?:noon|midnight)\b",
    re.IGNORECASE,
)
UNIT = (
    r"(?:square\s+|sq\s+|cubic\s+)?(?:kilomet\w+|(?:centi|milli)?met(?:re|er)s?|miles?|feet|foot|ft|inch(?:es)?|km²?|km2|cm|mm|ha"
    r"|hectares?|acres?|mi|m|kg|g|(?:kilo|milli)?gram(?:me)?s?|tons?|tonnes?|pounds|lbs?|oz|ounces?|%|percent|per\s+cent"
    r"|watts?|[kMG]W|[kMG]?Wh|m?Ah|mA|amp(?:ere)?s?|[km]V|volts?|dBm?|[kMG]bps|rpm|psi|[hk]Pa|millibars?|°\s?[CF]\b|degrees(?:\s+(?:Celsius|Fahrenheit|C|F)\b)?|mph|km/h|knots"
    r"|ml|lit(?:re|er)s?|gallons?|cups?|tablespoons?|teaspoons?|tbsps?|tsps?"
    r"|(?:(?:calendar|business|working|consecutive)[\s-])?(?:years?|days?|weeks?|months?|hours?)|h|minutes?|min|times"
    r"|(?:milli|micro|nano)?seconds?|(?-i:s|secs?|m?sec|ms|µs|us|ns|mins|hrs?)"
    r"|(?-i:[KMGTP]i?B|kB|[kMG]bit)(?:/s)?|(?:kilo|mega|giga|tera|kibi|mebi|gibi)?(?:bytes|bits)|(?-i:[kMG]?Hz)|pixels|px|dpi)"
    r"(?!\w)(?:\s+(?:a|per)\s+(?:second|minute|hour|day|year)\b)?"
)
# "1960s" and "the 60s" are decades; plain "60s" is a minute.
_DECADE = r"(?:(?<=\b[12]\d\d0)|(?<=\bthe \d0)|(?<=\bmid-\d0))s\b"
_SPELLED = "|".join([*NUMBER_WORDS, *MAGNITUDES])
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:(?:\d+\s)?\d/\d{{1,2}}(?=\s+[a-z])|[$£€₹¥₩₽]?\d+(?:[.,]\d+)*)(?!\d|{_DECADE})(?:(?:st|nd|rd|th)\b|(?:\s+(?:{'|'.join(MAGNITUDES)})\b)?(?:\+?(?:\s*|-){UNIT}|°|(?-i:[dAVW])\b)?)"
    rf"|\b(?:{_SPELLED})(?:[\s-](?:{_SPELLED}))*\b(?:[\s-]+{UNIT})?",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_][\w’'-]*"
_LOWER = "a-z" + "".join(letter for letter in map(chr, range(0x80, 0x530)) if letter.islower())
_CAPITAL = rf"(?:[^\W\d_{_LOWER}][\w’'&-]*\.?|\d+(?:(?:\.\d+)+(?!\.?\w)|(?:st|nd|rd|th)?(?!\w)))"
_INITIAL_CAPITAL = rf"[^\W\d_{_LOWER}][\w’'&-]*"
_LINK = r"(?:of|the|de|da|del|della|di|du|la|le|van|von|der|den|al|el|y|bin|ibn|&|for|and)"
_NAME = re.compile(rf"{_INITIAL_CAPITAL}\.?(?:\s+(?:(?:{_LINK}\s+){{0,2}}{_CAPITAL}|'s(?=\s+[A-Z])))*(?:\s+plc\b)?")
_LINKED = re.compile(r"(?<!\s)\s+(?:and|for|of)\s+(?:the\s+)?")
_QUOTED = re.compile(r"(?:[\"“«„]|``)\s*([^\"”»“`]{2,80}?)\s*(?:[\"”»“]|'')")
_COLOUR = re.compile(
    rf"\b(?:(?:dark|light|royal|navy|bright|sky)\s+)?(?:{'|'.join(COLOURS)})\b(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)(?:{'|'.join(COLOURS)})\b)*",
    re.IGNORECASE,
)
_NATIONALITY = re.compile(
    r"\b(?:[A-Z]\w+(?:ian|ean|can|ish|ese|ian|uan|nan|van|ban|lan|aqi|aeli|stani|deshi|moni|waiti)|French|Dutch|German"
    r"|Greek|Soviet|Swiss|Welsh|Thai|Czech|Korean|Roman|Filipino|Icelandic|Cypriot|Slovak|Croat|Serb|Turk)\b"
)
CLAUSE_OPENERS = frozenset(
    ["until", "till", "unless", "because", "although", "though", "since", "whereas", "once", "when", "while"]
)
_SPLITS = re.compile(r"(?<!\d)[,.]|[,.](?!\d)|[;:()\[\]{}!?\"“”`/|]|\s['’]{1,2}(?=\s|$)|\s[–—-]\s")
_NO_NAME = FUNCTION_WORDS | MONTHS
CAPITAL_NOUNS = ("de",)
"""Languages that write every noun with a capital: one capitalised word alone is no name there."""
_NO_PHRASE = FUNCTION_WORDS | CLAUSE_OPENERS
_EDGE = " ,.;:'’\"`-–—"


@lru_cache
def _no_name(language: str) -> frozenset[str]:
    return _NO_NAME | stop_words(language)


@dataclass(frozen=True)
class Span:
    """A candidate answer and its position in a sentence."""

    text: str
    kind: SpanKind
    start: int
    end: int


def spans(sentence: str, phrases: bool = True) -> list[Span]:
    """Find all candidate spans of a sentence, without duplicates of place and kind.

    In languages other than English only names, years and quotations: the rest needs English words.
    """
    found: dict[tuple[int, int, str], Span] = {}
    for kind, pattern in _PATTERNS:
        if kind not in _ANY_LANGUAGE and not reads_english():
            continue
        for match in pattern.finditer(sentence):
            group = 1 if kind == "quoted" else 0
            _keep(found, sentence, kind, match.start(group), match.end(group))
    for start, end in _names(sentence):
        _keep(found, sentence, "name", start, end)
    if phrases and reads_english():
        for start, end in _noun_phrases(sentence):
            _keep(found, sentence, "phrase", start, end)
    return _settled(list(found.values()))


def _settled(found: list[Span]) -> list[Span]:
    """Drop numbers inside dates or years, and names that are only a nationality or a date."""
    nationality = _Cover([span for span in found if span.kind == "nationality"])
    taken = _Cover([span for span in found if span.kind in ("date", "year", "time", "nationality")])
    covers = {"number": taken, "name": taken, "year": nationality}
    return [span for span in found if span.kind not in covers or not covers[span.kind].holds(span)]


class _Cover:
    """Sorted positions of spans, to test whether one of them contains another span."""

    def __init__(self, covering: list[Span]) -> None:
        ordered = sorted((span.start, span.end) for span in covering)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def holds(self, span: Span) -> bool:
        """Whether one of them contains this span."""
        before = bisect_right(self._starts, span.start)
        return before > 0 and self._furthest[before - 1] >= span.end


_PATTERNS: tuple[tuple[SpanKind, re.Pattern[str]], ...] = (
    ("date", _DATE), ("year", _YEAR), ("time", _TIME), ("number", _NUMBER), ("quoted", _QUOTED), ("colour", _COLOUR),
    ("nationality", _NATIONALITY),
)  # fmt: skip


_ANY_LANGUAGE = ("year", "quoted")


def _keep(found: dict[tuple[int, int, str], Span], sentence: str, kind: SpanKind, start: int, end: int) -> None:
    while start < end and sentence[start] in _EDGE:
        start += 1
    while end > start and sentence[end - 1] in _EDGE and not _ends_in_initial(sentence, start, end):
        end -= 1
    if start < end:
        found.setdefault((start, end, kind), Span(sentence[start:end], kind, start, end))


def _ends_in_initial(sentence: str, start: int, end: int) -> bool:
    """Whether the last stop stays: it does in "F.C." and "5 p.m.", but not in "Martin Luther King Jr."."""
    if end - start < 2 or sentence[end - 1] != ".":
        return False
    return "A" <= sentence[end - 2] <= "Z" or sentence[max(start, end - 4) : end] in ("a.m.", "p.m.")


def names_in(sentence: str) -> list[str]:
    """Find the names of a sentence ("University of Oslo", "1994 Winter Olympics"), each once, in order.

    A single capitalised word at the start of the sentence is no name, since every sentence starts with a capital. In
    German no single capitalised word is.
    """
    found: dict[str, None] = {}
    for start, end in _runs(sentence):
        parts = [part.strip(_EDGE) for part in _JOINED.split(sentence[start:end])]
        if year := _YEAR_BEFORE.search(sentence, max(0, start - 5), start):
            parts[0] = f"{year[1]} {parts[0]}"
        for part in parts:
            opens = start == 0 and " " not in part and part == parts[0]
            if len(part) > 2 and not opens and not _MONTH_ALONE.fullmatch(part):
                found[part] = None
    return list(found)


_JOINED = re.compile(r"(?<!\s)\s+(?:and|for)\s+(?:the\s+)?")
_YEAR_BEFORE = re.compile(r"\b([12]\d{3}) $")
_MONTH_ALONE = re.compile(rf"{_MONTH}(?:\s+\d+)*", re.IGNORECASE)


def _names(sentence: str) -> Iterator[tuple[int, int]]:
    """Find runs of capitalised words, their parts, and two runs separated by a comma as one place."""
    previous: tuple[int, int] | None = None
    for start, end in _runs(sentence):
        yield start, end
        offset = start
        parts = _LINKED.split(sentence[start:end])
        if len(parts) > 1:
            for part in parts:
                at = sentence.index(part, offset)
                yield at, at + len(part)
                offset = at + len(part)
        if previous and sentence[previous[1] : start].strip() == ",":
            yield previous[0], end
        previous = (start, end)


def _runs(sentence: str) -> Iterator[tuple[int, int]]:
    never, nouns = _no_name(active_language()), active_language() in CAPITAL_NOUNS
    for match in _NAME.finditer(sentence):
        start, end = match.span()
        text = match.group()
        if " " not in text and (text.casefold() in never or nouns):
            continue
        first = text.split()[0]
        if first.casefold() in never and start == 0 and " " in text:  # the capital comes from the start of the sentence
            start = _capital_from(sentence, start + len(first), end)
        yield start, end


def _capital_from(sentence: str, start: int, end: int) -> int:
    """Find the next capitalised word: in "As of 2018 the Swiss" only "Swiss" is a name."""
    word = re.compile(_INITIAL_CAPITAL).search(sentence, start, end)
    return word.start() if word else start + 1


def _noun_phrases(sentence: str) -> Iterator[tuple[int, int]]:
    """Find runs of up to five words without function words or punctuation."""
    cuts = [0, *(place for match in _SPLITS.finditer(sentence) for place in match.span()), len(sentence)]
    for left, right in zip(cuts[::2], cuts[1::2], strict=False):
        run: list[re.Match[str]] = []
        for match in [*re.finditer(r"\S+", sentence[left:right]), None]:
            word = match.group().casefold() if match else ""
            stops = match is None or word in _NO_PHRASE or word.endswith("ly")
            if not stops and match is not None:
                run.append(match)
                continue
            if run and len(run) <= 5:
                yield left + run[0].start(), left + run[-1].end()
            run = []


# How well a kind of span fits a kind of question: 1 fits, 0 cannot be the answer.
_FIT: dict[AnswerKind, dict[SpanKind, float]] = {
    "person": {"name": 1.0},
    "place": {"name": 1.0},
    "organisation": {"name": 1.0, "quoted": 0.3},
    "date": {"date": 1.0, "year": 0.5, "time": 0.4},
    "year": {"year": 1.0, "date": 0.2},
    "time": {"time": 1.0, "number": 0.4, "date": 0.1},
    "number": {"number": 1.0, "year": 0.2},
    "nationality": {"nationality": 1.0, "name": 0.2},
    "colour": {"colour": 1.0},
    "entity": {"name": 1.0, "quoted": 1.0, "phrase": 0.6, "number": 0.2},
    "choice": {"name": 1.0, "phrase": 1.0},
    "reason": {"phrase": 1.0},
    "manner": {"phrase": 1.0},
    "unknown": {"name": 1.0, "quoted": 0.8, "phrase": 0.6, "number": 0.5, "date": 0.5, "time": 0.4, "year": 0.4},
    "yes_no": {},
}


# Organisations and prizes are seldom persons; places never are.
_ORGANISED = frozenset(
    re.findall(
        r"\w+",
        """club university college school company team party association league inc ltd fc united city county national
        department institute stadium award cup championship prize series""",
    )
)
_PLACES = frozenset(
    re.findall(r"\w+", "road street lane avenue square bridge river lake mountain harbour airport building")
)
# Most names of persons have two to four words.
PERSON_WORDS = range(2, 5)


def fit(kind: AnswerKind, span: SpanKind, text: str = "") -> float:
    """How well a kind of span fits a kind of question, in [0, 1]; a name also by its form."""
    base = _FIT[kind].get(span, 0.0)
    if kind == "person" and span == "name" and text:
        words = text.casefold().split()
        if words[-1] in _PLACES:
            return 0.1 * base
        if any(word in _ORGANISED or any(map(str.isdigit, word)) for word in words):
            return 0.3 * base
        return base if len(words) in PERSON_WORDS else 0.6 * base
    return base
