"""Approximate nearest neighbours by binary signatures, with rescoring of the best.

A vector of 384 dimensions becomes 48 bytes, one sign bit per dimension. The rows with the least Hamming distance to the
query are scored by their full vectors. There is no training and no graph: a search reads all bits, 26 MB for 550,000
rows. Binary quantization with rescoring: Yamada et al., ACL 2021; here for vectors of any embedder, minus a mean of
samples, so that signs are informative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from backtrail.tools.arrays.array_file import write_array, write_columns
from backtrail.tools.arrays.mapped_array import load_array, map_array
from backtrail.tools.arrays.vector_rows import Rows, StoredVectors, Vectors, take
from backtrail.tools.vector_stores.errors import StoreDamaged
from backtrail.tools.vector_stores.folder_store import Built, FolderStore
from backtrail.tools.vector_stores.hamming_scan import Bits, closest
from backtrail.tools.vector_stores.protocol import Advance, VectorLayer

LEAST_RESCORED = 4_000
"""Least number of rescored rows; docs/scaling.md has the recall@10 with it."""
RESCORED_A_NEIGHBOUR = 40
"""Rescored rows per requested neighbour."""
_BLOCK = 65_536
_MEAN_OF = 100_000  # rows: more do not change the mean noticeably


class BinaryStore(FolderStore):
    """Signatures in ``<layer>.signs.npy`` (uint64 [words, n]) and ``<layer>.mean.npy`` [dimension].

    Each word is contiguous over all rows, so that a scan runs at the speed of memory. Full vectors are read from the
    layers, so removed ones are not scored.
    """

    kind = "binary"
    most_neighbours = 4_000

    def count(self) -> dict[str, int]:
        """Number of built vectors by layer."""
        return {name: len(columns[0]) for name, columns in self._columns.items()}

    def close(self) -> None:
        """Do nothing: only mapped files are open."""

    def _write(self, folder: Path, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        for name, layer in layers.items():
            mean = _mean(layer.vectors)
            words = (layer.vectors.shape[1] + 63) // 64
            blocks = _blocks(layer.vectors, mean, advance)
            write_columns(folder / f"{name}.signs.npy", (words, len(layer)), np.uint64, blocks)
            write_array(folder / f"{name}.mean.npy", mean)

    def _open(self, built: Built) -> None:
        try:
            self._columns = {name: list(map_array(self.folder / f"{name}.signs.npy")) for name in built.layers}
            self._means: dict[str, Vectors] = {
                name: load_array(self.folder / f"{name}.mean.npy") for name in built.layers
            }
        except (OSError, ValueError) as error:
            raise StoreDamaged(f"the signs in {self.folder} cannot be read ({error})") from error

    def _nearest(self, layer: str, query: Vectors, count: int) -> Rows:
        columns, change = self._columns[layer], self._changes[layer]
        wanted = max(LEAST_RESCORED, RESCORED_A_NEIGHBOUR * count)
        places = np.arange(len(columns[0]))
        if wanted < len(places):
            places = closest(columns, signs(query[None], self._means[layer])[0], wanted)
        places = places[change.row[places] >= 0]
        scores = take(change.layer.vectors, change.row[places]) @ query
        return places[np.argpartition(-scores, count)[:count]] if len(places) > count else places


def signs(vectors: Vectors, mean: Vectors) -> Bits:
    """One bit per dimension [n, words]: whether a value is above its mean."""
    packed = np.packbits(vectors > mean, axis=1)
    spare = -packed.shape[1] % 8
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, spare)))).view(np.uint64)


def _mean(vectors: StoredVectors) -> Vectors:
    if not len(vectors):
        return np.zeros(vectors.shape[1], np.float32)
    step = max(1, len(vectors) // _MEAN_OF)
    return np.asarray(np.mean(vectors[::step], axis=0, dtype=np.float64), np.float32)


def _blocks(vectors: StoredVectors, mean: Vectors, advance: Advance) -> Iterator[Bits]:
    for start in range(0, len(vectors), _BLOCK):
        made = signs(vectors[start : start + _BLOCK], mean)
        yield made.T
        advance(len(made))
