"""Content terms of a text, the unit of coverage. Shared by nodes, rules and scorers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from backtrail.language.current_language import active_language
from backtrail.language.scripts import HIRAGANA_ONLY, UNSPACED, WORD, ngrams, normalised
from backtrail.language.stems import stem
from backtrail.language.stop_words import FUNCTION_WORDS, stop_words

__all__ = ["FUNCTION_WORDS", "content_terms", "coverage", "first_terms", "stem", "terms", "words"]

_ASCII_WORD = re.compile(r"\w+", re.ASCII)


def words(text: str, language: str | None = None) -> list[str]:
    """Split a text into lower-case words without function words; a run without spaces is one word."""
    language = language or active_language()
    left_out = stop_words(language)
    found = _ASCII_WORD.findall(text.casefold()) if text.isascii() and language != "tr" else _words(text, language)
    return [word for word in found if word not in left_out]


def _words(text: str, language: str) -> list[str]:
    return WORD.findall(normalised(text, language))


def terms(text: str, language: str | None = None) -> Iterator[str]:
    """Return the stems of content words in order; n-grams for scripts without spaces.

    Args:
        text: any text.
        language: ISO 639-1 code; None takes the current language. Words of other scripts are stemmed by the commonest
            language of their script.
    """
    language = language or active_language()
    return _stemmed(words(text, language), language)


def _stemmed(found: Iterable[str], language: str) -> Iterator[str]:
    for word in found:
        if word.isascii() or UNSPACED.search(word) is None:
            yield stem(word, language)
        else:
            yield from _terms_without_spaces(word, language)


def _terms_without_spaces(word: str, language: str) -> Iterator[str]:
    """Return n-grams of runs without spaces, and stems of other parts ("GPU版"). Hiragana alone is grammar."""
    place = 0
    for run in UNSPACED.finditer(word):
        if between := word[place : run.start()]:
            yield stem(between, language)
        for gram in ngrams(run.group()):
            if gram not in stop_words(language) and not (len(run.group()) > 2 and HIRAGANA_ONLY.fullmatch(gram)):
                yield gram
        place = run.end()
    if rest := word[place:]:
        yield stem(rest, language)


def content_terms(text: str, language: str | None = None) -> frozenset[str]:
    """Return the distinct stems of content words."""
    language = language or active_language()
    return frozenset(_stemmed(set(words(text, language)), language))


def first_terms(text: str, most: int) -> frozenset[str]:
    """Return the distinct stems of the first content words, at most ``most``."""
    return frozenset(islice(dict.fromkeys(terms(text)), most))


def coverage(wanted: Iterable[str], present: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Share of the wanted terms that are present, each weighted by its rarity; in [0, 1].

    Rarity is the inverse document frequency in the corpus, so that a rare name weighs more than
    'year'. A term without rarity weighs 1. Nothing wanted is nothing covered: 0.
    """
    weights = {term: rarity.get(term, 1.0) for term in wanted}
    total = math.fsum(weights.values())  # exact, whatever the iteration order of the sets
    return math.fsum(weight for term, weight in weights.items() if term in present) / total if total else 0.0
