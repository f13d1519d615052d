"""KB_img: radius search of pictures by pixel vectors, if available, else by words (MMAPG 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.knowledge_bases.text import Entry, WithinRadius, interleave

WORDS_LOOKED_AT = 200
"""Components searched for pictures' words, as most corpora have more text than pictures."""


def image_base_name(corpus: CorpusReader) -> str:
    """Return what pictures are searched by: "pixels" or "words"."""
    return "pixels" if corpus.sees_pixels else "words"


def search_images(corpus: CorpusReader, queries: Sequence[str], radius: float, limit: int) -> WithinRadius:
    """Return at most ``limit`` pictures within a cosine distance of any query, without text. Blocking."""
    lists: list[list[Entry]] = []
    capped = False
    for query in queries:
        found = _by_pixels(corpus, query, limit + 1) if corpus.sees_pixels else _by_words(corpus, query, limit + 1)
        near = [Entry(key, "", score) for key, score in found.items() if score >= 1 - radius]
        capped |= len(near) > limit
        lists.append(near[:limit])
    return interleave(lists, limit, capped=capped)


def _by_pixels(corpus: CorpusReader, query: str, limit: int) -> dict[str, float]:
    return {scored["id"]: scored["score"] for scored in corpus.search_pictures(query, limit)}


def _by_words(corpus: CorpusReader, query: str, limit: int) -> dict[str, float]:
    found = corpus.search_components(corpus.embed([query])[0], "component", max(limit, WORDS_LOOKED_AT))
    stored = corpus.components([scored["id"] for scored in found])
    pictures = [scored for scored in found if scored["id"] in stored and stored[scored["id"]].image is not None]
    return {scored["id"]: scored["score"] for scored in pictures[:limit]}
