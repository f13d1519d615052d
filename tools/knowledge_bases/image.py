"""KB_img: pictures searched by radius, by their pixels where the corpus sees them, else by their words (MMAPG 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.knowledge_bases.text import Entry, Reached, in_turn

WORDS_LOOKED_AT = 200
"""Components among which the words of pictures are looked for: most corpora hold more text than pictures."""


def image_base_name(corpus: CorpusReader) -> str:
    """What pictures are searched by."""
    return "pixels" if corpus.sees_pixels else "words"


def search_images(corpus: CorpusReader, queries: Sequence[str], radius: float, limit: int) -> Reached:
    """At most ``limit`` pictures within a cosine distance of any of the queries; entries have no text. Blocking."""
    lists: list[list[Entry]] = []
    capped = False
    for query in queries:
        found = _by_pixels(corpus, query, limit + 1) if corpus.sees_pixels else _by_words(corpus, query, limit + 1)
        near = [Entry(key, "", score) for key, score in found.items() if score >= 1 - radius]
        capped |= len(near) > limit
        lists.append(near[:limit])
    return in_turn(lists, limit, capped=capped)


def _by_pixels(corpus: CorpusReader, query: str, limit: int) -> dict[str, float]:
    return {scored["id"]: scored["score"] for scored in corpus.search_pictures(query, limit)}


def _by_words(corpus: CorpusReader, query: str, limit: int) -> dict[str, float]:
    found = corpus.search_components(corpus.embed([query])[0], "component", max(limit, WORDS_LOOKED_AT))
    held = corpus.components([scored["id"] for scored in found])
    pictures = [scored for scored in found if scored["id"] in held and held[scored["id"]].image is not None]
    return {scored["id"]: scored["score"] for scored in pictures[:limit]}
