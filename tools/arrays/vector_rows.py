"""Vectors of a layer, in a file that generations share.

``<layer>.npy`` is written once and then appended to: the next generation hard-links it and appends the vectors of its
new rows. ``<layer>.slots.npy`` (int64 [n + 1]) maps each row of the layer to a row of the file; its first value is the
number of used rows of the file, dead ones included, where the next generation appends. Rows beyond it are left of a
killed writer. Without slots the file has the rows of the layer in order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from backtrail.tools.arrays.mapped_array import map_array
from backtrail.tools.arrays.prefetch_rows import ask_for

_FLOAT = np.dtype("<f4")
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
"""Selects rows of a layer."""
Vectors = NDArray[np.float32]


class VectorRows:
    """Vectors [n, dimension] that are selected rows of a mapped file, in order."""

    def __init__(self, file: Vectors, slots: Rows) -> None:
        """Take rows of an array.

        Args:
            file: all used rows [used, dimension].
            slots: the row of each vector [n].
        """
        self.file, self.slots = file, slots
        self.shape = (len(slots), file.shape[1])

    def __len__(self) -> int:
        """Number of vectors."""
        return len(self.slots)

    def __getitem__(self, rows: Any) -> Vectors:
        """Vectors by slice or row numbers."""
        return self.file[self.slots[rows]]

    def __matmul__(self, query: Vectors) -> Vectors:
        """Products with a vector [dimension]; dead rows, a quarter at most, are multiplied too."""
        return (self.file @ query)[self.slots]


StoredVectors = Vectors | VectorRows


def take(vectors: StoredVectors, rows: Rows) -> Vectors:
    """Vectors of scattered rows [n, dimension]; those of a large file are read in parallel."""
    file, slots = (vectors.file, vectors.slots[rows]) if isinstance(vectors, VectorRows) else (vectors, rows)
    ask_for(file, slots)
    return file[slots]


def open_vectors(folder: Path, name: str) -> StoredVectors:
    """Map the vectors of a layer.

    Raises:
        FileNotFoundError: a file is missing.
        ValueError: it is not an array, or is truncated.
    """
    file, slots_file = folder / f"{name}.npy", slots_of(folder, name)
    slots = map_array(slots_file) if slots_file.exists() else None
    first, (written, dimension) = read_header(file)
    used = written if slots is None else int(slots[0])
    if file.stat().st_size < first + 4 * dimension * used:
        raise ValueError(f"{file} is truncated: it should contain {used} vectors")
    if not used:  # an empty array cannot be mapped
        return np.empty((0, dimension), np.float32)
    mapped = np.asarray(np.memmap(file, _FLOAT, "r", first, (used, dimension)))
    return mapped if slots is None else VectorRows(mapped, slots[1:])


def read_header(file: Path) -> tuple[int, tuple[int, int]]:
    """The offset of the vectors in a file, and its shape when first written. ValueError for another file."""
    with file.open("rb") as stream:
        npy.read_magic(stream)
        shape, _, kind = npy.read_array_header_1_0(stream)
        if len(shape) != 2 or kind != _FLOAT:
            raise ValueError(f"{file} is not a file of float32 vectors")
        return stream.tell(), shape


def slots_of(folder: Path, name: str) -> Path:
    """The file that maps rows of a layer to rows of the vectors."""
    return folder / f"{name}.slots.npy"
