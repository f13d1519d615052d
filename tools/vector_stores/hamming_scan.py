"""Find the rows with the least Hamming distance to a query, by a scan in bounded memory.

Blocks of rows, small enough for the processor's cache, are compared one after another, and only candidates are kept. So
a search of tens of millions of rows does not need an array of their number.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
Distances = NDArray[np.uint16]
Rows = NDArray[np.int64]
_BLOCK = 65_536
_MOST_AT_ONCE = 8  # threads of one scan; numpy releases the interpreter lock
_WORTH_A_THREAD = 200_000  # rows
_FARTHEST = np.iinfo(np.uint16).max
_HELD = 8  # candidates per wanted row, before they are pruned


def closest(columns: Sequence[Bits], query: Bits, wanted: int) -> Rows:
    """Rows of the ``wanted`` least distances, with ties, ascending; at most twice as many.

    Of many rows at the same distance, such as copies of one text, the first are taken.

    Args:
        columns: for each word of the signatures, its values of all rows [n].
        query: words of the query's signature.
        wanted: 1 or more.
    """
    total = len(columns[0])
    parts = max(1, min(_processors(), _MOST_AT_ONCE, total // _WORTH_A_THREAD))
    bounds = np.linspace(0, total, parts + 1).astype(int).tolist()

    def scan(first: int, end: int) -> Closest:
        found = Closest(wanted)
        for start in range(first, end, _BLOCK):
            rows = slice(start, min(start + _BLOCK, end))
            found.add(start, distances(columns, query, rows))
        return found

    if parts == 1:
        return scan(0, total).rows()
    with ThreadPoolExecutor(parts) as threads:
        scans = list(threads.map(scan, bounds[:-1], bounds[1:]))
    return Closest(wanted, scans).rows()


def distances(columns: Sequence[Bits], query: Bits, rows: slice) -> Distances:
    """Hamming distances of rows to a query [words]."""
    found = np.bitwise_count(columns[0][rows] ^ query[0]).astype(np.uint16)
    for column, word in zip(columns[1:], query[1:], strict=True):
        found += np.bitwise_count(column[rows] ^ word)
    return found


class Closest:
    """The closest of the added rows, in bounded memory."""

    def __init__(self, wanted: int, parts: Sequence[Closest] = ()) -> None:
        """Start with the rows of parts, which scanned consecutive rows."""
        self._wanted = wanted
        self._rows = [rows for part in parts for rows in part._rows]
        self._distances = [one for part in parts for one in part._distances]
        self._count = sum(map(len, self._rows))
        self._upto = _FARTHEST  # rows beyond it are not candidates

    def add(self, first: int, found: Distances) -> None:
        """Add the distances of rows from ``first`` on, which follow the rows before."""
        chosen = np.flatnonzero(found <= self._upto)
        if len(chosen):
            self._rows.append(chosen + first)
            self._distances.append(found[chosen])
            self._count += len(chosen)
        if self._count > _HELD * self._wanted:
            self._prune()

    def rows(self) -> Rows:
        """The closest rows, ascending."""
        self._prune()
        return self._rows[0]

    def _prune(self) -> None:
        """Keep only what ``closest`` returns for the rows so far: others cannot be in the result."""
        rows = np.concatenate([np.empty(0, np.int64), *self._rows])
        found = np.concatenate([np.empty(0, np.uint16), *self._distances])
        order = np.argsort(found, kind="stable")[: 2 * self._wanted]
        if len(order) >= self._wanted:
            self._upto = int(found[order[self._wanted - 1]])
            order = order[: np.searchsorted(found[order], self._upto, "right")]
        order.sort()
        self._rows, self._distances, self._count = [rows[order]], [found[order]], len(order)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
