"""Order of candidates for examination in chunks, most relevant first (ours).

Chunks of texts have ``mmapg.chunk`` members, chunks of pictures ``pictures``, in the order of the search. If an
instruction concerns both, a chunk of each is examined in parallel; pictures come first if it concerns only pictures,
and last if it concerns none.
"""

from __future__ import annotations

from itertools import zip_longest

from backtrail.nodes.reading.pictures import sees_pictures
from backtrail.state.mmapg.memory import Candidate, Chunk
from backtrail.state.settings import Settings


def rounds_of(candidates: list[Candidate], text_part: str, image_part: str, settings: Settings) -> list[list[Chunk]]:
    """Return rounds of at most two chunks, which are examined in parallel."""
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
