"""Dense search: the vector index proposes candidates, exact similarity ranks them.

Restricted searches are exact from the start.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from backtrail.state.hop import Granularity, Scored
from backtrail.tools.arrays.vector_rows import Mask, Rows, Vectors
from backtrail.tools.corpus.generation import LAYERS, Generation, Layer
from backtrail.tools.corpus.search.exact import best, component_scores, document_scores
from backtrail.tools.vector_stores.index import VectorIndex

EXACT_UP_TO = 25_000
"""Rows without children up to which they are scored directly: one matrix product is faster than the index."""
_DEPTH: dict[Granularity, int] = {"document": 0, "component": 1, "subcomponent": 2}


class DenseSearch:
    """Dense search over one generation. Thread-safe."""

    def __init__(self, generation: Generation, index: VectorIndex, exact_up_to: int = EXACT_UP_TO) -> None:
        self._generation = generation
        self._index = index
        self._exact_up_to = exact_up_to

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
        """Rows of the target's layer that include the best ``limit``; None when all have to be scored."""
        if limit <= 0:
            return None
        sources = [source for source in self._sources(target, layer) if len(source)]
        found = [self._ancestors_of_best(source, target, query, limit) for source in sources]
        some = [rows for rows in found if rows is not None]
        return np.unique(np.concatenate(some)) if some and len(some) == len(found) else None

    def _sources(self, target: Granularity, layer: Granularity) -> list[_Source]:
        """Rows to compare: those of a layer, and those above it without descendants in it."""
        sources = [_Source(layer, self._generation.layer(layer))]
        if target == "document" and layer != "document":
            sources.append(self._bare["document"])
        if layer == "subcomponent":
            sources.append(self._bare["component"])
        return sources

    def _ancestors_of_best(self, source: _Source, target: Granularity, query: Vectors, limit: int) -> Rows | None:
        """Target rows with the best rows of a source, at least ``limit`` or all; None without an index.

        Neighbours may share an ancestor: more are requested until there are enough ancestors.
        """
        count = max(2 * limit, 16) if source.kind == target else max(4 * limit, 32)
        while True:
            near = self._best_of(source, query, count)
            if near is None:
                return None
            rows = np.unique(self._ancestors(near, target, source.kind))
            if len(rows) >= limit or count >= source.total:
                return rows
            count *= 2

    def _best_of(self, source: _Source, query: Vectors, count: int) -> Rows | None:
        """Rows of a source among the best ``count`` of its layer, or of a small part; None without an index."""
        if source.is_part and len(source) <= self._exact_up_to:
            return source.rows[_top(source.vectors @ query, count)]
        near = self._index.search(LAYERS[source.kind], query, min(count, source.total))
        return near if near is None or source.mask is None else near[source.mask[near]]

    def _ancestors(self, rows: Rows, target: Granularity, layer: Granularity) -> Rows:
        depth = _DEPTH[layer]
        if depth == 2 and _DEPTH[target] < 2:
            rows, depth = self._generation.components_of(rows), 1
        if depth == 1 and _DEPTH[target] < 1:
            rows = self._generation.documents_of(rows)
        return rows

    @cached_property
    def _bare(self) -> dict[Granularity, _Source]:
        """Documents without components, and components without subcomponents."""
        generation = self._generation
        starts: dict[Granularity, Rows] = {
            "document": generation.component_start,
            "component": generation.subcomponent_start,
        }
        return {
            kind: _Source(kind, generation.layer(kind), np.flatnonzero(np.diff(start) == 0))
            for kind, start in starts.items()
        }


class _Source:
    """The rows of a layer, or some of them."""

    def __init__(self, kind: Granularity, layer: Layer, some: Rows | None = None) -> None:
        self.kind: Granularity = kind
        self.total = len(layer)
        self._layer = layer
        self._some = some if some is None or len(some) < len(layer) else None

    def __len__(self) -> int:
        return self.total if self._some is None else len(self._some)

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the layer; the index covers whole layers."""
        return self._some is not None

    @property
    def rows(self) -> Rows:
        """Row numbers."""
        return np.arange(self.total) if self._some is None else self._some

    @cached_property
    def mask(self) -> Mask | None:
        """Mask of the rows in the layer; None for all."""
        if self._some is None:
            return None
        mask = np.zeros(self.total, np.bool_)
        mask[self._some] = True
        return mask

    @cached_property
    def vectors(self) -> Vectors:
        """Vectors in memory; only for a small part."""
        return self._layer.vectors[self.rows]


def _top(scores: Vectors, limit: int) -> Rows:
    """Positions of the ``limit`` highest scores, unordered."""
    return np.argpartition(-scores, limit)[:limit] if len(scores) > limit else np.arange(len(scores))
