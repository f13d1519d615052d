"""Search of pictures by their pixels, which finds undescribed pictures too.

If the corpus has a cross-modal encoder, results by words and by pixels are fused, for components and for documents. In
their papers FiF, LILaC and IRCoT have one embedder for texts and pictures.
"""

from __future__ import annotations

from collections.abc import Collection

from backtrail.nodes.graph_traversal.fuse_rankings import fuse_pictures
from backtrail.state.hop import Scored
from backtrail.tools.corpus.protocol import CorpusReader


def with_pictures(
    corpus: CorpusReader, text: str, found: list[Scored], keep: int, documents: Collection[str] | None = None
) -> list[Scored]:
    """Fuse components found by words with pictures of the documents found by pixels."""
    if not corpus.sees_pixels:
        return found
    return fuse_pictures(found, corpus.search_pictures(text, keep, documents), keep)


def with_pictured_documents(corpus: CorpusReader, text: str, found: list[Scored], keep: int) -> list[Scored]:
    """Fuse documents found by words with those of pictures found by pixels."""
    if not corpus.sees_pixels:
        return found
    pictures = corpus.search_pictures(text, keep)
    components = corpus.components([scored["id"] for scored in pictures])
    best: dict[str, float] = {}
    for scored in pictures:
        if scored["id"] in components:
            best.setdefault(components[scored["id"]].document, scored["score"])
    return fuse_pictures(found, [{"id": document, "score": score} for document, score in best.items()], keep)
