"""Prefetch scattered rows of a memory-mapped file in one request.

A page fault blocks, and the kernel reads what surrounds the page too, 128 kB by default: a thousand rows of 1.5 kB
become hundreds of megabytes, one after another. With advice the kernel reads only these rows, in parallel.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGE = 1 << 30
"""Bytes of an array from which advice is given: it takes a microsecond a row, and smaller ones stay in memory."""
_ADVICE = getattr(mmap, "MADV_WILLNEED", None)  # not on Windows


def ask_for(array: NDArray[Any], rows: NDArray[np.int64]) -> None:
    """Prefetch rows of a large mapped array, in any order, without waiting. Other arrays are left alone."""
    if array.nbytes < LARGE or _ADVICE is None or (mapped := _map_of(array)) is None:
        return
    for first, length in _pages(array, mapped, rows):
        _ask(mapped, first, length)


def _ask(mapped: mmap.mmap, first: int, length: int) -> None:
    if _ADVICE is not None:
        mapped.madvise(_ADVICE, first, length)


def _map_of(array: NDArray[Any]) -> mmap.mmap | None:
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return base if isinstance(base, mmap.mmap) else None


def _pages(array: NDArray[Any], mapped: mmap.mmap, rows: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of pages in a map that contain the rows, by first byte and length."""
    if not len(rows):
        return []
    begin = _address(array) - _address(np.frombuffer(mapped, np.uint8))
    starts = begin + array.strides[0] * np.sort(rows)
    firsts = starts // mmap.PAGESIZE
    ends = (starts + array.strides[0] - 1) // mmap.PAGESIZE + 1
    new = np.flatnonzero(np.concatenate([[True], firsts[1:] > ends[:-1]]))
    lasts = ends[np.append(new[1:] - 1, len(ends) - 1)]
    lengths = mmap.PAGESIZE * (lasts - firsts[new])
    return list(zip((mmap.PAGESIZE * firsts[new]).tolist(), lengths.tolist(), strict=True))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
