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
from backtrail.tools.corpus.generation import LAYERS, Generation, Layer, Mask, Rows
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
        sources = self._sources(target, layer)
        if limit <= 0 or max(map(len, sources)) <= self._exact_up_to or (index := self._get_index()) is None:
            return None
        found = [self._ancestors_of_best(source, index, target, query, limit) for source in sources if len(source)]
        some = [rows for rows in found if rows is not None]
        return np.unique(np.concatenate(some)) if len(some) == len(found) else None

    def _sources(self, target: Granularity, layer: Granularity) -> list[_Source]:
        """What is compared: the rows of a layer, and those above it without any in it, which stand for themselves."""
        sources = [_Source(layer, self._generation.layer(layer))]
        if target == "document" and layer != "document":
            sources.append(self._bare["document"])
        if layer == "subcomponent":
            sources.append(self._bare["component"])
        return sources

    def _ancestors_of_best(
        self, source: _Source, index: VectorIndex, target: Granularity, query: Vectors, limit: int
    ) -> Rows | None:
        """Rows of the target that hold the best of a source: all, or at least ``limit``; None where it has to be read.

        Neighbours of one ancestor come in groups: more are asked for until enough ancestors are found.
        """
        count = max(2 * limit, 16) if source.kind == target else max(4 * limit, 32)
        while True:
            near = self._best_of(source, index, query, count)
            if near is None:
                return None
            rows = np.unique(self._ancestors(near, target, source.kind))
            if len(rows) >= limit or count >= len(source):
                return rows
            count *= 2

    def _best_of(self, source: _Source, index: VectorIndex, query: Vectors, count: int) -> Rows | None:
        """About the best ``count`` rows of a source; None where the index does not tell so many."""
        if source.some is not None and (len(source) <= self._exact_up_to or not index.narrows):
            return source.some[_top(source.vectors @ query, count)]
        count = min(count, len(source))
        if count > index.most_neighbours:
            return None
        return index.nearest(LAYERS[source.kind], query, count, source.mask)

    def _ancestors(self, rows: Rows, target: Granularity, layer: Granularity) -> Rows:
        depth = _DEPTH[layer]
        if depth == 2 and _DEPTH[target] < 2:
            rows, depth = self._generation.components_of(rows), 1
        if depth == 1 and _DEPTH[target] < 1:
            rows = self._generation.documents_of(rows)
        return rows

    @cached_property
    def _bare(self) -> dict[Granularity, _Source]:
        """Documents without components, components without pieces."""
        held = self._generation
        starts: dict[Granularity, Rows] = {"document": held.component_start, "component": held.subcomponent_start}
        return {
            kind: _Source(kind, held.layer(kind), np.flatnonzero(np.diff(start) == 0)) for kind, start in starts.items()
        }

    def _get_index(self) -> VectorIndex | None:
        with self._lock:
            if not self._opened:
                self._index = self._open_index()
                self._opened = True
            return self._index


class _Source:
    """The rows of a layer, or some of them."""

    def __init__(self, kind: Granularity, layer: Layer, some: Rows | None = None) -> None:
        self.kind: Granularity = kind
        self.some = some
        self._layer = layer

    def __len__(self) -> int:
        return len(self._layer) if self.some is None else len(self.some)

    @cached_property
    def mask(self) -> Mask | None:
        """Which rows of the layer they are; None where they are all."""
        if self.some is None:
            return None
        mask = np.zeros(len(self._layer), np.bool_)
        mask[self.some] = True
        return mask

    @cached_property
    def vectors(self) -> Vectors:
        """Their vectors, held in memory; of some rows only."""
        return self._layer.vectors[self.some]


def _top(scores: Vectors, limit: int) -> Rows:
    """Positions of the ``limit`` highest scores, in no order."""
    return np.argpartition(-scores, limit)[:limit] if len(scores) > limit else np.arange(len(scores))
