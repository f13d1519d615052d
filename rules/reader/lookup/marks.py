"""Marks: words and numbers of a question, a cell or a header, written alike however they were written.

"Fifty", "50" and "50.0" are one number, "1k" and "a thousand" another; "64-byte" is 64 and byte, "p90" percentile 90.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from backtrail.language.stop_words import FUNCTION_WORDS
from backtrail.language.terms import stem
from backtrail.language.vocabulary import NUMBER_WORDS
from backtrail.rules.reader.lookup.periods import spelled

_TOKEN = re.compile(
    r"(?P<version>\d+(?:\.\d+){2,})|(?P<sign>(?<![\w)\]-])[-−](?=\d))?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<many>(?:bn|[kKM])(?![^\W\d_]))?"
    r"|°(?P<degree>[CF])\b|(?P<percent>%)|(?P<currency>[€$£])|(?P<word>[^\W\d]\w*)"
)
_PERCENTILE = re.compile(r"p(\d\d)")
# "lifeExp" and "LIFE_EXP" are headed by two words; a name that is written so is kept whole beside them.
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_+")
_ZEROED = re.compile(r"0\d+")
_LETTERED = re.compile(r"\b(?:class|plan|type|group|grade|level|category|zone|part|model|unit|series|team)\s$", re.I)
_VERSION = re.compile(r"(?<!\w)[vV](?=\d)")
_TIMES = {"k": 1_000.0, "K": 1_000.0, "M": 1_000_000.0, "bn": 1_000_000_000.0, "": 1.0}
_LARGE = {"hundred": 100.0, "thousand": 1_000.0, "million": 1_000_000.0, "billion": 1_000_000_000.0, "dozen": 12.0}
# What is one thing under several names.
_ALIKE = {"macos": "mac", "osx": "mac"}
_SIGNS = {"C": "celsius", "F": "fahrenheit", "€": "eur", "$": "usd", "£": "gbp"}
# Words of a longer text are not looked at: what names a row or a column is short.
MARKED_CHARACTERS = 400


@dataclass(frozen=True)
class Mark:
    """A content word as its stem, or a number as "#" and its value; ``joined``: nothing but content stands before."""

    term: str
    is_number: bool
    joined: bool


@lru_cache(maxsize=20_000)
def marks(text: str) -> tuple[Mark, ...]:
    """The marks of a text in their order, function words left out."""
    found: list[Mark] = []
    joined = False
    for term in _terms(spelled(_VERSION.sub("", text[:MARKED_CHARACTERS]))):
        if not term:
            joined = False
            continue
        found.append(Mark(term, term.startswith("#"), joined))
        joined = True
    return tuple(_multiplied(found))


def marked(text: str) -> frozenset[str]:
    """The terms of the marks of a text."""
    return frozenset(mark.term for mark in marks(text))


def marked_apart(text: str) -> frozenset[str]:
    """The same with the words that a name joins told apart: "lifeExp" is life and exp as well."""
    return marked(text) | marked(_CAMEL.sub(" ", text))


def _terms(text: str) -> Iterator[str]:
    """Terms in order; "" for a function word."""
    for token in _TOKEN.finditer(text):
        if token["version"]:
            yield f"#{token['version']}"
        elif token["number"]:
            if _ZEROED.fullmatch(token["number"]):  # "02" is a code, and not the second
                yield f"#{token['number']}"
                continue
            size = float(token["number"].replace(",", "")) * _TIMES[token["many"] or ""]
            yield number(-size if token["sign"] else size)
        elif sign := token["degree"] or token["currency"]:
            yield _SIGNS[sign]
        elif token["percent"]:
            yield "percent"
        else:
            yield from [token["word"].casefold()] if _is_letter(token, text) else _of_word(token["word"].casefold())


def _is_letter(token: re.Match[str], text: str) -> bool:
    """Whether a letter tells one of several things apart: the B of "Class B", not that of "B.C."."""
    letter, start = token["word"], token.start()
    if len(letter) > 1 or not letter.isupper() or "." in text[max(0, start - 1) : start] + text[start + 1 : start + 2]:
        return False
    return letter not in "AI" or _LETTERED.search(text[:start]) is not None


def _of_word(word: str) -> Iterator[str]:
    word = _ALIKE.get(word, word)
    if percentile := _PERCENTILE.fullmatch(word):
        yield number(float(percentile[1]))
        yield "percentil"
    elif word in NUMBER_WORDS and word != "one":
        yield number(float(NUMBER_WORDS[word]))
    elif word in _LARGE:
        yield number(_LARGE[word])
    else:
        yield "" if word in FUNCTION_WORDS or (len(word) == 1 and word not in "gmkw") else stem(word)


def number(value: float) -> str:
    """A number as a term."""
    return f"#{value:.12g}"


def _multiplied(found: list[Mark]) -> Iterator[Mark]:
    """Numbers with a large one behind them as their product: "two hundred", "1.5 million"."""
    held: Mark | None = None
    large = {number(value) for value in _LARGE.values()}
    for mark in found:
        if held is not None and mark.is_number and mark.joined and mark.term in large and held.term.count(".") < 2:
            held = Mark(number(float(held.term[1:]) * float(mark.term[1:])), True, held.joined)
            continue
        if held is not None:
            yield held
            held = None
        if mark.is_number:
            held = mark
        else:
            yield mark
    if held is not None:
        yield held
