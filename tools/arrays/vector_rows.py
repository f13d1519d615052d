"""The vectors of a layer, in a file that later generations share.

``<layer>.npy`` is written once and then appended to: the next generation has it by a hard link and puts the vectors of
its new rows behind the others. ``<layer>.slots.npy`` (int64 [n + 1]) says which row of the file each row of the layer
is; its first value is how many rows of the file are taken, dead ones included, and where the next generation goes on.
What stands behind belongs to nobody: a writer was killed. Without slots the file holds the layer, row by row.
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
"""Which rows of a layer."""
Vectors = NDArray[np.float32]


class VectorRows:
    """Vectors [n, dimension] that are some rows of a mapped file, in a given order."""

    def __init__(self, file: Vectors, slots: Rows) -> None:
        """Take rows of an array.

        Args:
            file: all rows that are taken [taken, dimension].
            slots: the row of each vector [n].
        """
        self.file, self.slots = file, slots
        self.shape = (len(slots), file.shape[1])

    def __len__(self) -> int:
        """Number of vectors."""
        return len(self.slots)

    def __getitem__(self, rows: Any) -> Vectors:
        """Some of the vectors, by slice or numbers."""
        return self.file[self.slots[rows]]

    def __matmul__(self, query: Vectors) -> Vectors:
        """Products with a vector [dimension]: the dead rows, a quarter at most, are multiplied too."""
        return (self.file @ query)[self.slots]


StoredVectors = Vectors | VectorRows


def take(vectors: StoredVectors, rows: Rows) -> Vectors:
    """Vectors of scattered rows [n, dimension]; of a large file they are read from the disk side by side."""
    file, slots = (vectors.file, vectors.slots[rows]) if isinstance(vectors, VectorRows) else (vectors, rows)
    ask_for(file, slots)
    return file[slots]


def open_vectors(folder: Path, name: str) -> StoredVectors:
    """Map the vectors of a layer.

    Raises:
        FileNotFoundError: a file is missing.
        ValueError: it is no array, or shorter than it has to be.
    """
    file, slots_file = folder / f"{name}.npy", slots_of(folder, name)
    slots = map_array(slots_file) if slots_file.exists() else None
    first, (written, dimension) = read_header(file)
    taken = written if slots is None else int(slots[0])
    if file.stat().st_size < first + 4 * dimension * taken:
        raise ValueError(f"{file} breaks off: it has to hold {taken} vectors")
    if not taken:  # an empty array cannot be mapped
        return np.empty((0, dimension), np.float32)
    mapped = np.asarray(np.memmap(file, _FLOAT, "r", first, (taken, dimension)))
    return mapped if slots is None else VectorRows(mapped, slots[1:])


def read_header(file: Path) -> tuple[int, tuple[int, int]]:
    """Where the vectors of a file begin, and its shape when it was first written. ValueError where it is no array."""
    with file.open("rb") as stream:
        npy.read_magic(stream)
        shape, _, kind = npy.read_array_header_1_0(stream)
        if len(shape) != 2 or kind != _FLOAT:
            raise ValueError(f"{file} holds no vectors")
        return stream.tell(), shape


def slots_of(folder: Path, name: str) -> Path:
    """The file that says which rows of the vectors are those of a layer."""
    return folder / f"{name}.slots.npy"
