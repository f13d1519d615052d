"""Compounds taken apart by the words of the corpus itself: "Reichsbrücke" holds "Brücke" where pages say that, too.

The rule is that of Koehn and Knight (EACL 2003): of all ways to cut a word into words of the corpus the one whose parts
are the most frequent, by their geometric mean, and none if the whole is more frequent than that. Here it works on
stems, which end as their last part does. Lengths and joints are ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

JOINTS = {"de": ("", "s", "es", "n", "en", "e", "er", "ens", "ns")}
"""What may stand between the parts of a compound, by language: only of these are compounds taken apart."""

SHORTEST = 4
"""Letters of a part: shorter stems are found in nearly every word."""

_LONGEST = 40  # letters of a word that is looked at
_MOST_PARTS = 4
_EVEN = 1 - 1e-9  # the mean of equal numbers may come out smaller by a rounding


def compound_parts(frequency: Mapping[str, int], language: str) -> dict[str, tuple[str, ...]]:
    """The parts of those stems that are compounds.

    Args:
        frequency: how many texts of the language have each stem.
        language: ISO 639-1 code; nothing is taken apart in those that ``JOINTS`` has not.
    """
    if language not in JOINTS:
        return {}
    found = ((stem, parts_of(stem, frequency, language)) for stem in frequency)
    return {stem: parts for stem, parts in found if parts}


def parts_of(stem: str, frequency: Mapping[str, int], language: str) -> tuple[str, ...]:
    """The parts of one stem, which the corpus need not have itself; () if it is no compound."""
    joints = JOINTS.get(language, ())
    if not joints or not 2 * SHORTEST <= len(stem) <= _LONGEST or not stem.isalpha():
        return ()
    cuts = list(_cuts(stem, frequency, joints, _MOST_PARTS))
    best = max(cuts, key=lambda parts: (_weight(parts, frequency), -len(parts), parts), default=())
    return best if best and _weight(best, frequency) >= frequency.get(stem, 0) * _EVEN else ()


def _cuts(stem: str, frequency: Mapping[str, int], joints: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """All ways to cut a stem into at least two that the corpus has."""
    for place in range(SHORTEST, len(stem) - SHORTEST + 1):
        tail = stem[place:]
        if tail not in frequency:
            continue
        for joint in joints:
            head = stem[: place - len(joint)] if stem[:place].endswith(joint) else ""
            if len(head) < SHORTEST:
                continue
            if head in frequency:
                yield head, tail
            if most > 2:
                yield from ((*parts, tail) for parts in _cuts(head, frequency, joints, most - 1))


def _weight(parts: tuple[str, ...], frequency: Mapping[str, int]) -> float:
    return math.exp(sum(math.log(frequency[part]) for part in parts) / len(parts))
