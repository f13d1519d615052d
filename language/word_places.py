"""Where the words of a sentence stand, looked up by stem: a reading of many spans takes no longer a span."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable

from backtrail.language.spans import Span
from backtrail.language.terms import stem

_WORD = re.compile(r"\w+")


class WordPlaces:
    """The words of one sentence; places and distances are counted in words."""

    def __init__(self, sentence: str) -> None:
        self._starts: list[int] = []
        self._of_stem: dict[str, list[int]] = defaultdict(list)
        for place, match in enumerate(_WORD.finditer(sentence)):
            self._starts.append(match.start())
            self._of_stem[stem(match.group().casefold())].append(place)

    def within(self, span: Span) -> tuple[int, int] | None:
        """The first and the last word of a span; None for a span without one."""
        first, after = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        return (first, after - 1) if first < after else None

    def distance(self, stems: Iterable[str], first: int, last: int) -> int | None:
        """How many words the nearest of these stands before the first word or behind the last; None for none."""
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
