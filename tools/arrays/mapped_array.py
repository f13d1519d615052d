"""Map arrays of a generation into memory, so that only what searches touch takes memory."""

from __future__ import annotations

import re
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

# The header as numpy writes it. Numpy parses it with ``ast.literal_eval``, which sometimes fails in Python 3.11 and
# 3.12 when two threads call it at once ("AST constructor recursion depth mismatch"), as readers of a corpus do.
_HEADER = re.compile(rb"\{'descr': '([^']+)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \}\s*")
_MAGIC = b"\x93NUMPY\x01\x00"


def map_array(file: Path) -> NDArray[Any]:
    """Map a ``.npy`` file for reading.

    Raises:
        FileNotFoundError: it is missing.
        ValueError: it is not an array, or is truncated.
    """
    kind, order, shape, start = _read_header(file)
    if not prod(shape):  # an empty array cannot be mapped
        return np.empty(shape, kind)
    return np.asarray(np.memmap(file, kind, "r", start, shape, order))


def load_array(file: Path) -> NDArray[Any]:
    """Read a whole ``.npy`` file. Raises what ``map_array`` does."""
    return np.array(map_array(file))


def _read_header(file: Path) -> tuple[np.dtype[Any], Literal["C", "F"], tuple[int, ...], int]:
    """Type, order, shape and offset of the values."""
    with file.open("rb") as read:
        magic = read.read(len(_MAGIC))
        length = int.from_bytes(read.read(2), "little")
        header = _HEADER.fullmatch(read.read(length))
    if magic != _MAGIC or header is None:
        raise ValueError(f"{file} is not an array" if magic else f"{file} is empty")
    shape = tuple(int(one) for one in header[3].decode().split(",") if one.strip())
    return np.dtype(header[1].decode()), "F" if header[2] == b"True" else "C", shape, len(_MAGIC) + 2 + length


def map_bytes(file: Path) -> NDArray[np.uint8]:
    """Map the bytes of a file. FileNotFoundError where it is missing."""
    if not file.stat().st_size:
        return np.empty(0, np.uint8)
    return np.asarray(np.memmap(file, np.uint8, "r"))
