"""Order candidates for examination in chunks, most relevant first (ours).

Texts in chunks of ``mmapg.chunk``, pictures in chunks of ``pictures``, each in the order in which they were reached.
Where an instruction speaks of both, a chunk of each is examined side by side; where it is about pictures alone, they
come first; where it means none, pictures that lay near come last.
"""

from __future__ import annotations

from itertools import zip_longest

from backtrail.nodes.reading.pictures import sees_pictures
from backtrail.state.mmapg.memory import Candidate, Chunk
from backtrail.state.settings import Settings


def rounds_of(candidates: list[Candidate], text_part: str, image_part: str, settings: Settings) -> list[list[Chunk]]:
    """Rounds of at most two chunks, which are examined side by side."""
    size = settings.pictures if sees_pictures(settings, "vlm") else settings.mmapg.chunk
    texts = _chunks([one["component"] for one in candidates if not one["pictured"]], settings.mmapg.chunk)
    pictures = _chunks([one["component"] for one in candidates if one["pictured"]], size)
    rounds: list[list[tuple[bool, list[str]]]]
    if text_part and image_part:
        pairs = zip_longest([(False, one) for one in texts], [(True, one) for one in pictures])
        rounds = [[chunk for chunk in pair if chunk is not None] for pair in pairs]
    else:
        ordered = [[(False, one)] for one in texts], [[(True, one)] for one in pictures]
        rounds = [*ordered[0], *ordered[1]] if text_part else [*ordered[1], *ordered[0]]
    return _numbered(rounds)


def _chunks(components: list[str], size: int) -> list[list[str]]:
    return [components[at : at + size] for at in range(0, len(components), size)]


def _numbered(rounds: list[list[tuple[bool, list[str]]]]) -> list[list[Chunk]]:
    numbered: list[list[Chunk]] = []
    index = 0
    for chunks in rounds:
        numbered.append([])
        for pictured, components in chunks:
            numbered[-1].append({"index": index, "pictured": pictured, "components": components})
            index += 1
    return numbered
