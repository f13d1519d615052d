"""Near a span: how near the words of a question stand to it, and the preposition before it."""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping

from backtrail.language.spans import Span
from backtrail.language.vocabulary import DETERMINERS, KIN
from backtrail.language.word_places import WordPlaces

# A word this far from the span still counts half.
HALF_DISTANCE = 4.0
# Of a question of more terms the rarest are looked for near a span; one of a single sentence has less.
NEAR_TERMS = 64
_WORD = re.compile(r"\w+")


def preposition(text: str, span: Span) -> str:
    """The word right before a span, past articles; "-" where it is none."""
    before = [word.casefold() for word in _WORD.findall(text[max(0, span.start - 24) : span.start])]
    while before and before[-1] in DETERMINERS:
        before.pop()
    return before[-1] if before else "-"


def weighed(wanted: frozenset[str], rarity: Mapping[str, float]) -> list[tuple[float, str]]:
    """Wanted terms with their weights, the rarest first."""
    return heapq.nlargest(NEAR_TERMS, ((rarity.get(term, 1.0), term) for term in wanted))


def near(span: Span, words: WordPlaces, wanted: list[tuple[float, str]]) -> float:
    """How near the wanted terms stand to a span, by their weights; terms inside the span do not count."""
    inside = words.within(span)
    if not inside or not wanted:
        return 0.0
    got = 0.0
    for weight, term in wanted:
        distance = words.distance(KIN.get(term, (term,)), *inside)
        if distance is not None:
            got += weight / (1.0 + (distance - 1) / HALF_DISTANCE)
    total = sum(weight for weight, _ in wanted)
    return got / total if total else 0.0
