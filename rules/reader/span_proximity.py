"""Measure the distance between the words of a question and a span of a sentence."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from backtrail.language.spans import Span
from backtrail.language.terms import stem
from backtrail.language.vocabulary import KIN

# At this distance a word counts half.
HALF_DISTANCE = 4.0
# Only the rarest terms of a longer question are searched; single sentences have fewer.
NEAR_TERMS = 64
_WORD = re.compile(r"\w+")


class WordPlaces:
    """Word positions of one sentence; distances are counted in words."""

    def __init__(self, sentence: str) -> None:
        self._starts: list[int] = []
        self._of_stem: dict[str, list[int]] = defaultdict(list)
        for place, match in enumerate(_WORD.finditer(sentence)):
            self._starts.append(match.start())
            self._of_stem[stem(match.group().casefold())].append(place)

    def within(self, span: Span) -> tuple[int, int] | None:
        """Return the first and last word of a span; None for a span without words."""
        first, after = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        return (first, after - 1) if first < after else None

    def distance(self, stems: Iterable[str], first: int, last: int) -> int | None:
        """Distance in words from the span to the nearest of these stems outside it; None without any."""
        distances: list[int] = []
        for one in stems:
            places = self._of_stem.get(one)
            if places is None:
                continue
            before, behind = bisect_left(places, first), bisect_right(places, last)
            if before:
                distances.append(first - places[before - 1])
            if behind < len(places):
                distances.append(places[behind] - last)
        return min(distances) if distances else None


def weighed(wanted: frozenset[str], rarity: Mapping[str, float]) -> list[tuple[float, str]]:
    """Return the wanted terms with their weights, rarest first."""
    return heapq.nlargest(NEAR_TERMS, ((rarity.get(term, 1.0), term) for term in wanted))


def near(span: Span, words: WordPlaces, wanted: list[tuple[float, str]]) -> float:
    """Weighted proximity of the wanted terms to a span; terms inside the span do not count."""
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
