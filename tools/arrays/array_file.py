"""Write arrays as files, never through a memory map.

On a full disk a write through a map kills the process, and numpy's own writing raises an error without ``errno``;
plain writes have it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray


def write_rows(file: Path, shape: tuple[int, ...], dtype: DTypeLike, blocks: Iterable[NDArray[Any]]) -> None:
    """Write a ``.npy`` file from blocks of its rows.

    Raises:
        OSError: with the number of what went wrong, such as ENOSPC.
    """
    header = {"descr": npy.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape}
    with file.open("wb") as out:
        npy.write_array_header_1_0(out, header)
        for block in blocks:
            out.write(np.ascontiguousarray(block, dtype).tobytes())


def write_columns(file: Path, shape: tuple[int, int], dtype: DTypeLike, blocks: Iterable[NDArray[Any]]) -> None:
    """Write a ``.npy`` file from blocks of its columns.

    Raises:
        OSError: with the number of what went wrong, such as ENOSPC.
    """
    kind = np.dtype(dtype)
    lines, columns = shape
    with file.open("wb") as out:
        npy.write_array_header_1_0(out, {"descr": npy.dtype_to_descr(kind), "fortran_order": False, "shape": shape})
        begin, written = out.tell(), 0
        for block in blocks:
            for line, values in enumerate(block):
                out.seek(begin + kind.itemsize * (line * columns + written))
                out.write(np.ascontiguousarray(values, kind).tobytes())
            written += block.shape[1]
        out.truncate(begin + kind.itemsize * lines * columns)


def write_array(file: Path, array: NDArray[Any]) -> None:
    """Write a whole array as a ``.npy`` file."""
    write_rows(file, array.shape, array.dtype, [array])
