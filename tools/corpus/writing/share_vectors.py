"""Take over the vectors of a layer without copying them: the file is shared, and new rows are put behind the others.

A generation that is published never looks behind the rows that it takes, so that whoever is killed or fails here leaves
it whole; the next writer begins behind them again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.vector_rows import Rows, StoredVectors, VectorRows, read_header, slots_of
from backtrail.tools.corpus.protocol import Vectors

_MOST_DEAD = 0.25
"""Share of the rows of a file that no layer has any more: with more of them it is written anew (ours)."""


def may_share(vectors: StoredVectors, held: Rows, added: int) -> bool:
    """Whether some rows of stored vectors, with so many new ones, are worth having in the same file."""
    taken = len(vectors.file) if isinstance(vectors, VectorRows) else len(vectors)
    return bool(len(held)) and len(held) + added >= (1 - _MOST_DEAD) * (taken + added)


def share_vectors(
    earlier: Path, folder: Path, name: str, vectors: StoredVectors, held: Rows, new: Iterable[Vectors]
) -> None:
    """Give a layer the file of an earlier generation, with new vectors behind those that are in it.

    Args:
        earlier: folder of the earlier generation.
        folder: of the new one.
        name: of the layer.
        vectors: those of the earlier generation.
        held: which rows of them stay.
        new: what is put behind, block by block.

    Raises:
        OSError: with the number of what went wrong, such as ENOSPC; the file is as long as it was.
    """
    slots = vectors.slots if isinstance(vectors, VectorRows) else np.arange(len(vectors))
    taken = len(vectors.file) if isinstance(vectors, VectorRows) else len(vectors)
    file = folder / f"{name}.npy"
    try:
        os.link(earlier / file.name, file)
    except OSError:  # a file system without hard links
        shutil.copyfile(earlier / file.name, file)
    first, (_, dimension) = read_header(file)
    end, added = first + 4 * dimension * taken, 0
    with file.open("r+b") as out:
        try:
            out.truncate(end)  # what a writer that was killed has left
            out.seek(end)
            for block in new:
                out.write(np.ascontiguousarray(block, np.float32).tobytes())
                added += len(block)
        except BaseException:
            out.truncate(end)
            raise
    all_slots = np.concatenate([[taken + added], slots[held], np.arange(taken, taken + added)])
    write_array(slots_of(folder, name), all_slots.astype(np.int64))
