"""Approximate nearest entities and relations, in Chroma or by the signs of their vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from backtrail.tools.corpus.generation import Rows
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.binary_index import BINARY, BinaryIndex
from backtrail.tools.corpus.search.chroma_index import (
    CHROMA,
    ChromaIndex,
    chroma_url,
    close_client,
    collection_name,
    is_sound,
    open_client,
    open_collection,
)
from backtrail.tools.corpus.search.vector_index import VectorIndex, stored_kind
from backtrail.tools.knowledge.generation import KnowledgeLayers


def open_knowledge_index(layers: KnowledgeLayers, uid: str) -> VectorIndex:
    """The index of one generation's graph.

    Raises:
        ValueError: it is absent, damaged or does not hold the rows of the generation.
    """
    if stored_kind(layers.folder) == "binary":
        return BinaryIndex(layers.folder / BINARY, layers.indexed)
    return KnowledgeCollections(layers, uid)


class KnowledgeCollections:
    """The collections of one generation's graph, opened for searching. Safe to share between threads."""

    most_neighbours = ChromaIndex.most_neighbours

    def __init__(self, layers: KnowledgeLayers, uid: str) -> None:
        """Open the collections.

        Raises:
            ValueError: the index is absent, damaged or does not hold the rows of the generation.
        """
        folder = layers.folder / CHROMA
        self._layers = layers
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

    def nearest(self, layer: str, query: Vectors, count: int) -> Rows:
        """Rows of about the ``count`` nearest vectors of a layer to one [dimension]."""
        found = self._collections[layer].query(
            query_embeddings=np.asarray(query, np.float32)[None], n_results=count, include=[]
        )
        held = self._layers.indexed[layer]
        return np.array([held.row_of[id_] for id_ in found["ids"][0]], np.int64)

    def counts(self) -> dict[str, int]:
        """Vectors held, by layer."""
        return {name: held.count() for name, held in self._collections.items()}

    def close(self) -> None:
        """Let go of the client."""
        close_client(self._client)
