"""Split compounds into words of the corpus: "Reichsbrücke" into "Reich" and "Brücke".

Rule of Koehn and Knight (EACL 2003): of all splits into words of the corpus, take the one whose parts have the highest
geometric mean of frequencies; do not split if the whole word is more frequent. Applied to stems, which end as their
last part does. Lengths and joints are ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

JOINTS = {"de": ("", "s", "es", "n", "en", "e", "er", "ens", "ns")}
"""Linking letters between the parts of a compound, by language; other languages are not split."""

SHORTEST = 4
"""Minimum letters of a part: shorter stems occur in nearly every word."""

_LONGEST = 40  # letters; longer words are not split
_MOST_PARTS = 4
_EVEN = 1 - 1e-9  # the mean of equal numbers may come out smaller by a rounding


def compound_parts(frequency: Mapping[str, int], language: str) -> dict[str, tuple[str, ...]]:
    """Return the parts of every stem that is a compound.

    Args:
        frequency: number of texts with each stem.
        language: ISO 639-1 code; languages missing from ``JOINTS`` are not split.
    """
    if language not in JOINTS:
        return {}
    found = ((stem, parts_of(stem, frequency, language)) for stem in frequency)
    return {stem: parts for stem, parts in found if parts}


def parts_of(stem: str, frequency: Mapping[str, int], language: str) -> tuple[str, ...]:
    """Return the parts of one stem, which may be missing from the corpus; () if it is no compound."""
    joints = JOINTS.get(language, ())
    if not joints or not 2 * SHORTEST <= len(stem) <= _LONGEST or not stem.isalpha():
        return ()
    cuts = list(_cuts(stem, frequency, joints, _MOST_PARTS))
    best = max(cuts, key=lambda parts: (_weight(parts, frequency), -len(parts), parts), default=())
    return best if best and _weight(best, frequency) >= frequency.get(stem, 0) * _EVEN else ()


def _cuts(stem: str, frequency: Mapping[str, int], joints: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """Yield every split of a stem into two or more stems of the corpus."""
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
