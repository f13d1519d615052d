"""Share the file of a layer's vectors between generations, and append new rows.

A published generation does not read beyond its own rows, so that a killed or failed writer does not damage it; the next
writer overwrites what follows.
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
"""Share of unused rows beyond which a file is rewritten (ours)."""


def may_share(vectors: StoredVectors, held: Rows, added: int) -> bool:
    """Whether a file may be shared, given the rows that stay and the number of new ones."""
    used = len(vectors.file) if isinstance(vectors, VectorRows) else len(vectors)
    return bool(len(held)) and len(held) + added >= (1 - _MOST_DEAD) * (used + added)


def share_vectors(
    earlier: Path, folder: Path, name: str, vectors: StoredVectors, held: Rows, new: Iterable[Vectors]
) -> None:
    """Share the file of an earlier generation with a layer, and append new vectors.

    Args:
        earlier: folder of the earlier generation.
        folder: folder of the new one.
        name: name of the layer.
        vectors: vectors of the earlier generation.
        held: rows of these that stay.
        new: vectors to append, in blocks.

    Raises:
        OSError: with its errno, such as ENOSPC; the file keeps its length.
    """
    slots = vectors.slots if isinstance(vectors, VectorRows) else np.arange(len(vectors))
    used = len(vectors.file) if isinstance(vectors, VectorRows) else len(vectors)
    file = folder / f"{name}.npy"
    try:
        os.link(earlier / file.name, file)
    except OSError:  # a file system without hard links
        shutil.copyfile(earlier / file.name, file)
    first, (_, dimension) = read_header(file)
    end, added = first + 4 * dimension * used, 0
    with file.open("r+b") as out:
        try:
            out.truncate(end)  # rows of a killed writer
            out.seek(end)
            for block in new:
                out.write(np.ascontiguousarray(block, np.float32).tobytes())
                added += len(block)
        except BaseException:
            out.truncate(end)
            raise
    all_slots = np.concatenate([[used + added], slots[held], np.arange(used, used + added)])
    write_array(slots_of(folder, name), all_slots.astype(np.int64))
