"""Exact search over mapped vectors: scores of rows, maxima over descendants, best rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.text_rows import TextRows
from backtrail.tools.arrays.vector_rows import Rows, take
from backtrail.tools.corpus.generation import Generation, Layer
from backtrail.tools.corpus.protocol import Vectors

Scores = NDArray[np.float32]
_DECIMALS = 6  # float32 sums differ in the last digits between code paths, and equal vectors must tie


def rows_of(starts: Rows, parents: Rows) -> tuple[Rows, Rows]:
    """The child rows of parents, parent by parent, and their number per parent: ([n], [len(parents)])."""
    first, counts = starts[parents], starts[parents + 1] - starts[parents]
    offsets = np.repeat(first - np.append(0, np.cumsum(counts)[:-1]), counts) if len(parents) else first
    return np.arange(counts.sum()) + offsets, counts


def similarity(layer: Layer, rows: Rows | None, query: Vectors) -> Scores:
    """Dot products of a query [dimension] with rows of a layer (None: all)."""
    if rows is None:
        return layer.vectors @ query
    if 2 * len(rows) > len(layer):  # gathering most rows costs more than multiplying all
        return (layer.vectors @ query)[rows]
    return take(layer.vectors, rows) @ query


def fold(scores: Scores, counts: Rows, own: Scores) -> Scores:
    """Maximum per parent over its children's scores; a parent without children keeps its own."""
    folded = own.astype(np.float32, copy=True)
    filled = np.flatnonzero(counts)
    if len(filled):
        starts = (np.cumsum(counts) - counts)[filled]
        folded[filled] = np.maximum.reduceat(scores, starts)
    return folded


def component_scores(generation: Generation, rows: Rows | None, query: Vectors, by_pieces: bool) -> Scores:
    """Scores of component rows (None: all), by own vectors or by the best of their subcomponents."""
    layer = generation.components
    if not by_pieces:
        return similarity(layer, rows, query)
    if rows is None:
        counts = np.diff(generation.subcomponent_start)
        pieces = None
    else:
        pieces, counts = rows_of(generation.subcomponent_start, rows)
    bare = np.flatnonzero(counts == 0)
    own = np.zeros(len(counts), np.float32)
    if len(bare):
        own[bare] = similarity(layer, bare if rows is None else rows[bare], query)
    return fold(similarity(generation.subcomponents, pieces, query), counts, own)


def document_scores(generation: Generation, rows: Rows | None, query: Vectors, layer: int) -> Scores:
    """Scores of document rows (None: all) by the best of their descendants at a layer (0, 1 or 2).

    A document or component without children counts by its own vector.
    """
    if layer == 0:
        return similarity(generation.documents, rows, query)
    if rows is None:
        counts = np.diff(generation.component_start)
        children = None
    else:
        children, counts = rows_of(generation.component_start, rows)
    bare = np.flatnonzero(counts == 0)
    own = np.zeros(len(counts), np.float32)
    if len(bare):
        own[bare] = similarity(generation.documents, bare if rows is None else rows[bare], query)
    return fold(component_scores(generation, children, query, by_pieces=layer == 2), counts, own)


def best(ids: TextRows, rows: Rows | None, scores: NDArray[np.floating], limit: int) -> list[tuple[str, float]]:
    """The ``limit`` best rows as (id, score), best first, ties by id."""
    if limit <= 0 or not len(scores):
        return []
    if len(scores) > limit:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        chosen = np.flatnonzero(scores >= least - 2 * 10.0**-_DECIMALS)
    else:
        chosen = np.arange(len(scores))
    rounded = np.round(scores[chosen].astype(np.float64), _DECIMALS)
    named = zip(ids.take(chosen if rows is None else rows[chosen]), rounded.tolist(), strict=True)
    return sorted(named, key=lambda pair: (-pair[1], pair[0]))[:limit]
