"""Comparing: which column a superlative compares, and from which end: "the cheapest" is the least of "Price (EUR)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import AGE_SUPERLATIVES, SUPERLATIVES, TIME_SUPERLATIVES

_MONEY = "price cost fee rent fare charge amount"
# Of each superlative the nouns that a column is named with, and which end of it is meant.
SUPERLATIVE_NOUNS: dict[str, tuple[str, int]] = {
    "cheapest": (_MONEY, -1), "dearest": (_MONEY, 1), "priciest": (_MONEY, 1), "costliest": (_MONEY, 1),
    "heaviest": ("weight mass", 1), "lightest": ("weight mass", -1),
    "tallest": ("height elevation", 1), "highest": ("height elevation altitude rise", 1),
    "lowest": ("height elevation", -1),
    "longest": ("length duration distance", 1), "shortest": ("length duration distance height", -1),
    "fastest": ("speed", 1), "slowest": ("speed", -1), "deepest": ("depth", 1), "widest": ("width", 1),
    "largest": ("size area capacity population", 1), "biggest": ("size area capacity population", 1),
    "smallest": ("size area capacity population", -1), "strongest": ("power strength", 1),
}  # fmt: skip
_MORE = re.compile(r"\b(?P<which>most|least)\s+(?P<what>expensive|costly|powerful)\b", re.IGNORECASE)
_OF_ADJECTIVE = {"expensive": _MONEY, "costly": _MONEY, "powerful": "power"}
_TIMES = content_terms("date year built opened founded born installed bought updated since published made established")
_NOTHING = re.compile(r"\W*(?:(?:0+(?:[.,]0+)?|none|no|nil|out|out of stock|sold out)\W*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Compared:
    """A column with the end of it that is meant. ``terms``: the words of the question that say so."""

    column: int
    direction: int
    timely: bool
    terms: frozenset[str]


def compared(question: str, header: Sequence[str]) -> Compared | None:
    """What a superlative of the question compares, where exactly one column is named like it."""
    words = re.findall(r"[\w’'-]+", question.casefold())
    if found := _MORE.search(question):
        direction = 1 if found["which"].casefold() == "most" else -1
        nouns = content_terms(_OF_ADJECTIVE[found["what"].casefold()])
        return _column(nouns, direction, content_terms(found.group()) | content_terms(found["which"]), header)
    word = next((word for word in words if word in SUPERLATIVE_NOUNS or word in SUPERLATIVES), "")
    if not word:
        return None
    said = content_terms(word) | frozenset((word,))
    after = content_terms(" ".join(words[words.index(word) + 1 : words.index(word) + 3]))
    if word in TIME_SUPERLATIVES:
        return _of_time(word, said, header)
    nouns, direction = SUPERLATIVE_NOUNS.get(word, ("", SUPERLATIVES.get(word, 0)))
    if named := _column(after, direction, said, header):  # "the highest price": the column is said
        return named
    return _column(content_terms(nouns), direction, said, header)


def _column(nouns: frozenset[str], direction: int, said: frozenset[str], header: Sequence[str]) -> Compared | None:
    named = [column for column, title in enumerate(header) if content_terms(title) & nouns]
    return Compared(named[0], direction, False, said) if len(named) == 1 else None


def _of_time(word: str, said: frozenset[str], header: Sequence[str]) -> Compared | None:
    """A column of dates; of ages the other end is the oldest."""
    if word in ("last", "first", "final"):  # of a list as often as of time
        return None
    ages = [column for column, title in enumerate(header) if "age" in title.casefold().split()]
    direction = SUPERLATIVES[word]
    if word in AGE_SUPERLATIVES and len(ages) == 1:
        return Compared(ages[0], -direction, False, said)
    timed = [column for column, title in enumerate(header) if content_terms(title) & _TIMES]
    return Compared(timed[0], direction, True, said) if len(timed) == 1 else None


def is_none(cell: str) -> bool:
    """Whether a cell says that there is none."""
    return bool(_NOTHING.fullmatch(cell))
