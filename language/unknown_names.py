"""Names in a text that a question does not contain: candidates for the next search."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import takewhile

from backtrail.language.current_language import active_language
from backtrail.language.sentences import split_sentences
from backtrail.language.spans import spans
from backtrail.language.terms import FUNCTION_WORDS, content_terms, coverage
from backtrail.language.vocabulary import MONTHS, NUMBER_WORDS

MOST_NAMES = 4
_GLUED = frozenset(MONTHS) | FUNCTION_WORDS


def names_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names of a text in reading order, each once with its first sentence."""
    return _names_in(text, active_language())


@lru_cache(maxsize=4096)
def _names_in(text: str, language: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for sentence in split_sentences(text):
        for span in spans(sentence, phrases=False):
            name = _bare(span.text) if span.kind == "name" else ""
            if content_terms(name) and name.casefold() not in NUMBER_WORDS:
                found.setdefault(name, sentence)
    return tuple(found.items())


def _bare(name: str) -> str:
    """Remove a leading capitalised article or date: "January 2004 Stardust" becomes "Stardust"."""
    words = name.split()
    glued = takewhile(lambda word: word.casefold() in _GLUED or word.isdigit(), words)
    return " ".join(words[len(list(glued)) :])


def terms_of_names(text: str) -> frozenset[str]:
    """Return all terms of the names of a text."""
    return frozenset(term for name, _ in names_in(text) for term in content_terms(name))


def new_names(text: str, question: str, rarity: Mapping[str, float], components: float) -> list[str]:
    """Return names that share no word with the question, the most promising first.

    Sorted by their sentence's coverage of the question, then by rarity. A name that occurs in only one component leads
    nowhere and is left out.

    Args:
        rarity: inverse document frequency of terms.
        components: number of components in the corpus.
    """
    asked = content_terms(question)
    said_twice = math.log(1.0 + components / 3.0) + 1e-6  # the inverse document frequency of two components
    ranked: list[tuple[float, float, str]] = []
    for name, sentence in names_in(text):
        terms = content_terms(name)
        rarest = max(rarity.get(term, 0.0) for term in terms)
        if not terms & asked and rarest <= said_twice:
            ranked.append((-coverage(asked, content_terms(sentence), rarity), -rarest, name))
    return [name for _, _, name in sorted(ranked)][:MOST_NAMES]


def names_beyond(subtask: str, question: str) -> list[str]:
    """Return the names of a subtask that are missing from the question."""
    asked = content_terms(question)
    return list(dict.fromkeys(name for name, _ in names_in(subtask) if not content_terms(name) & asked))


def unmet_words(subtask: str, settled: Iterable[str]) -> str:
    """Return the words of a subtask whose terms are not settled yet, in order."""
    done = frozenset(settled)
    return " ".join(word for word in subtask.split() if content_terms(word) - done)
