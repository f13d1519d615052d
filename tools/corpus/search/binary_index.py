"""Approximate nearest neighbours by the signs of vectors: one bit a dimension, all of them compared, the best rescored.

A vector of 384 dimensions becomes 48 bytes. The rows whose signs differ least from the query's (Hamming distance) are
scored by their full vectors. Nothing is trained and nothing is a graph: rows are appended as they come, and a search
reads all bits, 26 MB for 550,000 rows. Binary quantization with rescoring: Yamada et al., ACL 2021; here the vectors
are those of any embedder, with the mean of the first ones subtracted, so that a sign tells something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtrail.tools.corpus.generation import Layer, Rows
from backtrail.tools.corpus.mapped_array import load_array, map_array
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.closest_signs import Bits, Mask, closest
from backtrail.tools.corpus.vector_rows import take
from backtrail.tools.corpus.writing.array_file import write_array, write_columns
from backtrail.tools.corpus.writing.progress import Progress

BINARY = "binary"
"""The folder of a generation that holds ``<layer>.mean.npy`` and ``<layer>.signs.npy`` (uint64 [words, n]).

One word of all rows lies together, so that a scan of it runs at the speed of memory."""
LEAST_RESCORED = 4_000
"""Rows whose full vectors are compared, at least: with them recall@10 is what docs/scaling.md says."""
RESCORED_A_NEIGHBOUR = 40
"""Rows rescored for each neighbour that is asked for."""
_BLOCK = 65_536
_MEAN_OF = 100_000  # rows: the mean of more is the same to the digits that matter


class BinaryIndex:
    """The signs of some layers, opened for searching. Safe to share between threads."""

    most_neighbours = 4_000
    narrows = True

    def __init__(self, folder: Path, layers: Mapping[str, Layer]) -> None:
        """Open the index of a folder that ``build_binary`` made of these layers, by name.

        Raises:
            ValueError: it is absent, damaged, or does not hold the rows of the layers.
        """
        self._layers = {name: _SignedLayer(folder, layer) for name, layer in layers.items()}

    def nearest(self, layer: str, query: Vectors, count: int, among: Mask | None = None) -> Rows:
        """Rows of about the ``count`` nearest vectors of a layer to one [dimension], the nearest first.

        ``among`` restricts to some of the rows [n].
        """
        return self._layers[layer].nearest(np.asarray(query, np.float32), count, among)

    def counts(self) -> dict[str, int]:
        """Vectors held, by layer."""
        return {name: held.count for name, held in self._layers.items()}

    def close(self) -> None:
        """Nothing is open but mapped files."""


class _SignedLayer:
    """The signs of one layer."""

    def __init__(self, folder: Path, layer: Layer) -> None:
        self._layer = layer
        try:
            self._columns = _open_columns(folder, layer.name)
            self._mean: Vectors = load_array(folder / f"{layer.name}.mean.npy")
        except (OSError, ValueError, EOFError) as error:
            raise ValueError(f"the binary index in {folder} cannot be opened: {error}") from error
        self.count = len(self._columns[0])
        if self.count != len(layer):
            raise ValueError(f"the binary index in {folder} holds {self.count} {layer.name}, {len(layer)} expected")

    def nearest(self, query: Vectors, count: int, among: Mask | None) -> Rows:
        """Rows of about the ``count`` nearest vectors among some, or all; the nearest first."""
        wanted = max(LEAST_RESCORED, RESCORED_A_NEIGHBOUR * count)
        if wanted < self.count:
            rows = closest(self._columns, signs(query[None], self._mean)[0], wanted, among)
        else:
            rows = np.arange(self.count) if among is None else np.flatnonzero(among)
        scores = take(self._layer.vectors, rows) @ query
        best = np.argpartition(-scores, count)[:count] if len(rows) > count else np.arange(len(rows))
        return rows[best[np.argsort(-scores[best], kind="stable")]]


def _open_columns(folder: Path, name: str) -> list[Bits]:
    """The words of all rows, one by one; FileNotFoundError and ValueError where they cannot be had."""
    rows_first = folder / f"{name}.bits.npy"  # layouts up to 2
    if rows_first.exists():
        stored = map_array(rows_first)
        return [np.ascontiguousarray(stored[:, word]) for word in range(stored.shape[1])]
    return list(map_array(folder / f"{name}.signs.npy"))


def signs(vectors: Vectors, mean: Vectors) -> Bits:
    """One bit a dimension [n, words]: whether a value is above its mean."""
    packed = np.packbits(vectors > mean, axis=1)
    spare = -packed.shape[1] % 8
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, spare)))).view(np.uint64)


def build_binary(
    folder: Path,
    layers: Mapping[str, Layer],
    old: Path | None,
    earlier: Mapping[str, Layer] | None,
    progress: Progress,
) -> None:
    """Write the signs of layers; those of rows that an earlier index has are taken over.

    Args:
        folder: made here.
        layers: by name.
        old: the folder of the earlier index, which need not exist.
        earlier: the layers that are in it.
    """
    folder.mkdir()
    for name, layer in layers.items():
        known = _known(old, layer, earlier[name]) if old is not None and earlier is not None else None
        mean, kept = known or (_mean(layer), None)
        _write(folder, layer, mean, kept, progress)


def _mean(layer: Layer) -> Vectors:
    if not len(layer):
        return np.zeros(layer.vectors.shape[1], np.float32)
    step = max(1, len(layer) // _MEAN_OF)
    return np.asarray(np.mean(layer.vectors[::step], axis=0, dtype=np.float64), np.float32)


class _Kept(NamedTuple):
    """The words of an earlier index, and which of its rows stay."""

    columns: list[Bits]
    rows: Rows


def _known(folder: Path, layer: Layer, earlier: Layer) -> tuple[Vectors, _Kept] | None:
    """The mean of an earlier index, and its rows that are still there, which come first; or None.

    Keys rise and are never used twice: what is new stands behind all that is kept.
    """
    try:
        mean, columns = load_array(folder / f"{layer.name}.mean.npy"), _open_columns(folder, layer.name)
    except (OSError, ValueError, EOFError):
        return None
    if len(columns[0]) != len(earlier) or not len(earlier):
        return None
    kept = np.flatnonzero(np.isin(earlier.keys, layer.keys, assume_unique=True))
    return (mean, _Kept(columns, kept)) if np.array_equal(earlier.keys[kept], layer.keys[: len(kept)]) else None


def _write(folder: Path, layer: Layer, mean: Vectors, kept: _Kept | None, progress: Progress) -> None:
    words = (layer.vectors.shape[1] + 63) // 64
    first = len(kept.rows) if kept else 0

    def blocks() -> Iterator[Bits]:
        for start in range(0, first if kept else 0, _BLOCK):
            assert kept is not None
            rows = kept.rows[start : start + _BLOCK]
            yield np.stack([column[rows] for column in kept.columns])
            progress.advance(len(rows))
        for start in range(first, len(layer), _BLOCK):
            made = signs(layer.vectors[start : start + _BLOCK], mean)
            yield made.T
            progress.advance(len(made))

    write_columns(folder / f"{layer.name}.signs.npy", (words, len(layer)), np.uint64, blocks())
    write_array(folder / f"{layer.name}.mean.npy", mean)
