"""Search pictures by their pixels, so that undescribed pictures are found, too.

Where the corpus has a cross-modal encoder, what words find is fused with what pixels find, at the stage of components
and at that of documents; elsewhere nothing changes. FiF, LILaC and IRCoT have one embedder for texts and pictures in
their papers.
"""

from __future__ import annotations

from collections.abc import Collection

from backtrail.nodes.graph_traversal.fuse_rankings import fuse_pictures
from backtrail.state.hop import Scored
from backtrail.tools.corpus.protocol import CorpusReader


def with_pictures(
    corpus: CorpusReader, text: str, found: list[Scored], keep: int, documents: Collection[str] | None = None
) -> list[Scored]:
    """Components that were found by words, and pictures among the documents whose pixels are nearest to the text."""
    if not corpus.sees_pixels:
        return found
    return fuse_pictures(found, corpus.search_pictures(text, keep, documents), keep)


def with_pictured_documents(corpus: CorpusReader, text: str, found: list[Scored], keep: int) -> list[Scored]:
    """Documents that were found by words, and those of the pictures whose pixels are nearest to the text."""
    if not corpus.sees_pixels:
        return found
    pictures = corpus.search_pictures(text, keep)
    components = corpus.components([scored["id"] for scored in pictures])
    best: dict[str, float] = {}
    for scored in pictures:
        if scored["id"] in components:
            best.setdefault(components[scored["id"]].document, scored["score"])
    return fuse_pictures(found, [{"id": document, "score": score} for document, score in best.items()], keep)
