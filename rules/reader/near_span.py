"""How near the words of a question stand to a span of a sentence."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from backtrail.language.spans import Span
from backtrail.language.vocabulary import KIN
from backtrail.language.word_places import WordPlaces

# A word this far from the span still counts half.
HALF_DISTANCE = 4.0
# Of a question of more terms the rarest are looked for near a span; one of a single sentence has less.
NEAR_TERMS = 64


def weighed(wanted: frozenset[str], rarity: Mapping[str, float]) -> list[tuple[float, str]]:
    """Wanted terms with their weights, the rarest first."""
    return heapq.nlargest(NEAR_TERMS, ((rarity.get(term, 1.0), term) for term in wanted))


def near(span: Span, words: WordPlaces, wanted: list[tuple[float, str]]) -> float:
    """How near the wanted terms stand to a span, by their weights; terms inside the span do not count."""
    inside = words.within(span)
    total = sum(weight for weight, _ in wanted)
    if not inside or not total:
        return 0.0
    got = 0.0
    for weight, term in wanted:
        distance = words.distance(KIN.get(term, (term,)), *inside)
        if distance is not None:
            got += weight / (1.0 + (distance - 1) / HALF_DISTANCE)
    return got / total
