"""Content terms of a text: what coverage is measured in. Shared by nodes, rules and scorers."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice

import Stemmer

_WORD = re.compile(r"\w+")
# Function words carry no constraint a component could satisfy.
FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "by",
        "for",
        "with",
        "from",
        "into",
        "and",
        "or",
        "but",
        "not",
        "nor",
        "so",
        "as",
        "than",
        "then",
        "that",
        "this",
        "these",
        "those",
        "it",
        "its",
        "he",
        "she",
        "they",
        "them",
        "his",
        "her",
        "hers",
        "their",
        "theirs",
        "him",
        "is",
        "was",
        "were",
        "are",
        "am",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "done",
        "has",
        "have",
        "had",
        "having",
        "which",
        "who",
        "whom",
        "whose",
        "what",
        "when",
        "where",
        "why",
        "how",
        "many",
        "much",
        "also",
        "there",
        "here",
        "if",
        "while",
        "during",
        "about",
        "between",
        "after",
        "before",
        "s",
        "t",
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "i",
        "you",
        "we",
        "me",
        "my",
        "your",
        "our",
        "us",
        "any",
        "some",
        "all",
        "each",
        "both",
        "no",
        "yes",
        "one",
        "name",
        "named",
        "called",
        "tell",
        "list",
        "find",
        "give",
        "show",
    ]
)
_stemmer = Stemmer.Stemmer("english")
_stemming = threading.Lock()  # a Stemmer object is not safe to share between threads


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """English stem of a lower-case word; words of other languages come back nearly unchanged."""
    with _stemming:
        return _stemmer.stemWord(word)


def words(text: str) -> list[str]:
    """Lower-case words in order, function words left out."""
    return [word for word in _WORD.findall(text.casefold()) if word not in FUNCTION_WORDS]


def content_terms(text: str) -> frozenset[str]:
    """Distinct stems of the content words."""
    return frozenset(stem(word) for word in words(text))


def first_terms(text: str, most: int) -> frozenset[str]:
    """Distinct stems of the first content words, so many at most."""
    return frozenset(stem(word) for word in islice(dict.fromkeys(words(text)), most))


def coverage(wanted: Iterable[str], present: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Share of the wanted terms that are present, each weighted by its rarity; in [0, 1].

    Rarity is the inverse document frequency in the corpus, so that a rare name weighs more than
    'year'. A term without rarity weighs 1. Nothing wanted is nothing covered: 0.
    """
    weights = {term: rarity.get(term, 1.0) for term in wanted}
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in present) / total if total else 0.0
