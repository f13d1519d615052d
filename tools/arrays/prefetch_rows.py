"""Prefetch scattered rows of a memory-mapped file in one request.

A page that is touched and not there is waited for, and the kernel reads what lies around it too, 128 kB by default: a
thousand rows of 1.5 kB become hundreds of megabytes, one after another. Told before which rows are meant, it reads
these alone and side by side.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGE = 1 << 30
"""Bytes of an array: of smaller ones nothing is said, as asking takes a microsecond a row and they stay in memory."""
_ADVICE = getattr(mmap, "MADV_WILLNEED", None)  # not on Windows


def ask_for(array: NDArray[Any], rows: NDArray[np.int64]) -> None:
    """Have rows of a large mapped array read, in any order; does not wait. Of other arrays nothing is asked."""
    if array.nbytes < LARGE or _ADVICE is None or (held := _map_of(array)) is None:
        return
    for first, length in _pages(array, held, rows):
        _ask(held, first, length)


def _ask(held: mmap.mmap, first: int, length: int) -> None:
    if _ADVICE is not None:
        held.madvise(_ADVICE, first, length)


def _map_of(array: NDArray[Any]) -> mmap.mmap | None:
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return base if isinstance(base, mmap.mmap) else None


def _pages(array: NDArray[Any], held: mmap.mmap, rows: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Where the pages of rows lie in a map: runs of them, by first byte and length."""
    if not len(rows):
        return []
    begin = _address(array) - _address(np.frombuffer(held, np.uint8))
    starts = begin + array.strides[0] * np.sort(rows)
    firsts = starts // mmap.PAGESIZE
    ends = (starts + array.strides[0] - 1) // mmap.PAGESIZE + 1
    new = np.flatnonzero(np.concatenate([[True], firsts[1:] > ends[:-1]]))
    lasts = ends[np.append(new[1:] - 1, len(ends) - 1)]
    lengths = mmap.PAGESIZE * (lasts - firsts[new])
    return list(zip((mmap.PAGESIZE * firsts[new]).tolist(), lengths.tolist(), strict=True))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
