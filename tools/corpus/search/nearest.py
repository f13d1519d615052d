"""Dense search for documents and components: the approximate index proposes, exact scores decide.

Restricted searches and small layers are exact from the start: there one product with the mapped
vectors is faster than a query of the index.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import Literal

import numpy as np

from backtrail.state.hop import Granularity, Scored
from backtrail.tools.corpus.generation import LAYERS, Generation, Rows
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.exact import best, component_scores, document_scores
from backtrail.tools.corpus.search.vector_index import EXACT_UP_TO, VectorIndex

_DEPTH: dict[Granularity, int] = {"document": 0, "component": 1, "subcomponent": 2}


class Nearest:
    """Searches over one generation. Safe to share between threads."""

    def __init__(
        self, generation: Generation, open_index: Callable[[], VectorIndex | None], exact_up_to: int = EXACT_UP_TO
    ) -> None:
        self._generation = generation
        self._open_index = open_index
        self._exact_up_to = exact_up_to
        self._lock = threading.Lock()
        self._index: VectorIndex | None = None
        self._opened = False

    def search(
        self,
        target: Literal["document", "component"],
        layer: Granularity,
        query: Vectors,
        limit: int,
        rows: Rows | None,
    ) -> list[Scored]:
        """The best documents or components for a query [dimension], by their descendants at a layer.

        ``rows`` restricts to these rows of the target's layer; None searches all.
        """
        if rows is None:
            rows = self._proposed(target, layer, query, limit)
        if target == "document":
            scores = document_scores(self._generation, rows, query, _DEPTH[layer])
        else:
            scores = component_scores(self._generation, rows, query, by_pieces=layer == "subcomponent")
        ranked = best(self._generation.layer(target).ids, rows, scores, limit)
        return [Scored(id=id_, score=score) for id_, score in ranked]

    def _proposed(self, target: Granularity, layer: Granularity, query: Vectors, limit: int) -> Rows | None:
        """Rows of the target's layer that hold the best ``limit``; None when all have to be scored."""
        held = self._generation.layer(layer)
        if limit <= 0 or len(held) <= self._exact_up_to or (index := self._get_index()) is None:
            return None
        # Neighbours of one ancestor come in groups: ask for more until enough ancestors are found.
        count = max(2 * limit, 16) if layer == target else max(4 * limit, 32)
        while count <= index.most_neighbours:
            rows = np.unique(self._ancestors(index.nearest(LAYERS[layer], query, count), target, layer))
            if len(rows) >= limit:
                return np.union1d(rows, self._childless(target, layer, query, limit))
            count *= 2
        return None

    def _ancestors(self, rows: Rows, target: Granularity, layer: Granularity) -> Rows:
        depth = _DEPTH[layer]
        if depth == 2 and _DEPTH[target] < 2:
            rows, depth = self._generation.components_of(rows), 1
        if depth == 1 and _DEPTH[target] < 1:
            rows = self._generation.documents_of(rows)
        return rows

    def _childless(self, target: Granularity, layer: Granularity, query: Vectors, limit: int) -> Rows:
        """The best rows among those that the layer's index cannot propose, as they have nothing in it."""
        proposed = [np.empty(0, np.int64)]
        if target == "document" and layer != "document":
            rows, vectors = self._bare_documents
            proposed.append(rows[_top(vectors @ query, limit)])
        if layer == "subcomponent":
            rows, vectors = self._bare_components
            top = rows[_top(vectors @ query, limit if target == "component" else 4 * limit)]
            proposed.append(self._ancestors(top, target, "component"))
        return np.concatenate(proposed)

    @cached_property
    def _bare_documents(self) -> tuple[Rows, Vectors]:
        rows = np.flatnonzero(np.diff(self._generation.component_start) == 0)
        return rows, self._generation.documents.vectors[rows]

    @cached_property
    def _bare_components(self) -> tuple[Rows, Vectors]:
        rows = np.flatnonzero(np.diff(self._generation.subcomponent_start) == 0)
        return rows, self._generation.components.vectors[rows]

    def _get_index(self) -> VectorIndex | None:
        with self._lock:
            if not self._opened:
                self._index = self._open_index()
                self._opened = True
            return self._index


def _top(scores: Vectors, limit: int) -> Rows:
    """Positions of the ``limit`` highest scores, in no order."""
    return np.argpartition(-scores, limit)[:limit] if len(scores) > limit else np.arange(len(scores))
