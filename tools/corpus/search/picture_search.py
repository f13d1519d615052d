"""Search pictures by a text or a picture, in the space of a cross-modal encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.generation import PICTURES, Layer
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.exact import best, similarity
from backtrail.tools.corpus.search.query_vectors import QueryVectors
from backtrail.tools.embedders.protocol import PixelEmbedder
from backtrail.tools.vector_stores.index import VectorIndex


class PictureSearch:
    """The pictures of one generation, searched by text or by a picture."""

    def __init__(self, pictures: Layer, index: VectorIndex, encoder: PixelEmbedder) -> None:
        self._pictures = pictures
        self._index = index
        self._encoder = encoder
        self._queries = QueryVectors(_Texts(encoder))

    def search(self, text: str, limit: int, component_keys: Rows | None) -> list[tuple[str, float]]:
        """Component ids with similarity, best first, among the components of these keys (None: all)."""
        rows = None if component_keys is None else np.flatnonzero(np.isin(self._pictures.keys, component_keys))
        if limit <= 0 or (len(self._pictures) if rows is None else len(rows)) == 0:
            return []
        return self._nearest(self._queries.embed([text])[0], rows, limit)

    def search_like(self, file: Path, limit: int) -> list[tuple[str, float]]:
        """Component ids with similarity to a picture, best first."""
        if limit <= 0 or not len(self._pictures):
            return []
        return self._nearest(self._encoder.embed_images([file])[0], None, limit)

    def _nearest(self, query: Vectors, rows: Rows | None, limit: int) -> list[tuple[str, float]]:
        if rows is None:
            rows = self._index.search(PICTURES, query, min(max(2 * limit, 16), len(self._pictures)))
        return best(self._pictures.ids, rows, similarity(self._pictures, rows, query), limit)


class _Texts:
    """The text side of a cross-modal encoder, as an ``Embedder``."""

    def __init__(self, encoder: PixelEmbedder) -> None:
        self.fingerprint = encoder.fingerprint
        self.dimension = encoder.dimension
        self._encoder = encoder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, comparable with those of pictures."""
        return self._encoder.embed_texts(texts)
