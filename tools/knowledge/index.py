"""Approximate nearest entities and relations in Chroma."""

from __future__ import annotations

from typing import Any

import numpy as np

from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.vector_index import (
    chroma_url,
    close_client,
    collection_name,
    is_sound,
    open_client,
    open_collection,
)
from backtrail.tools.knowledge.generation import KnowledgeLayers


class KnowledgeIndex:
    """The collections of one generation's graph, opened for searching. Safe to share between threads."""

    def __init__(self, layers: KnowledgeLayers, uid: str) -> None:
        """Open the collections.

        Raises:
            ValueError: the index is absent, damaged or does not hold the rows of the generation.
        """
        folder = layers.folder / "chroma"
        if chroma_url() is None and not is_sound(folder):
            raise ValueError(f"{folder} is missing or damaged")
        try:
            self._client = open_client(folder)
        except Exception as error:  # Chroma raises a dozen unrelated types
            raise ValueError(f"the vector index in {chroma_url() or folder} cannot be opened: {error}") from error
        try:
            self._collections: dict[str, Any] = {
                name: open_collection(self._client, collection_name(uid, layers.number, name), len(layer))
                for name, layer in layers.indexed.items()
            }
        except ValueError:
            close_client(self._client)
            raise

    def nearest(self, layer: str, query: Vectors, count: int) -> list[str]:
        """Ids of about the ``count`` nearest rows of a layer to a vector [dimension]."""
        found = self._collections[layer].query(
            query_embeddings=np.asarray(query, np.float32)[None], n_results=count, include=[]
        )
        return found["ids"][0]

    def close(self) -> None:
        """Let go of the client."""
        close_client(self._client)
