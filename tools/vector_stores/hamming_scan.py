"""Which rows' signs differ least from a query's: a scan of all of them that holds only the best.

Blocks of rows are compared one after another, each small enough to stay in the cache of a processor, and only rows that
may still be among the closest are kept. So a search of tens of millions of rows takes no array as long as they are.
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
_MOST_AT_ONCE = 8  # threads of one scan; numpy lets go of the interpreter
_WORTH_A_THREAD = 200_000  # rows
_FARTHEST = np.iinfo(np.uint16).max
_HELD = 8  # rows for each wanted one, before those that cannot be among the closest any more are let go


def closest(columns: Sequence[Bits], query: Bits, wanted: int) -> Rows:
    """Rows of the ``wanted`` least distances and of those equal to the last of them, rising; at most twice as many.

    Where many rows are equally far, as many copies of one text are, those that come first are taken.

    Args:
        columns: one word of the signs of all rows [n], for each word of them.
        query: its words.
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
    """In how many signs each of some rows differs from a query [words]."""
    found = np.bitwise_count(columns[0][rows] ^ query[0]).astype(np.uint16)
    for column, word in zip(columns[1:], query[1:], strict=True):
        found += np.bitwise_count(column[rows] ^ word)
    return found


class Closest:
    """The closest rows of those that were added, in memory that does not grow with them."""

    def __init__(self, wanted: int, parts: Sequence[Closest] = ()) -> None:
        """Begin with those of parts that saw rows one after another."""
        self._wanted = wanted
        self._rows = [rows for part in parts for rows in part._rows]
        self._distances = [held for part in parts for held in part._distances]
        self._held = sum(map(len, self._rows))
        self._upto = _FARTHEST  # what is farther cannot be among them

    def add(self, first: int, found: Distances) -> None:
        """Take rows from ``first`` on, with their distances; they stand behind those before."""
        chosen = np.flatnonzero(found <= self._upto)
        if len(chosen):
            self._rows.append(chosen + first)
            self._distances.append(found[chosen])
            self._held += len(chosen)
        if self._held > _HELD * self._wanted:
            self._let_go()

    def rows(self) -> Rows:
        """The closest, rising."""
        self._let_go()
        return self._rows[0]

    def _let_go(self) -> None:
        """Hold the rows that ``closest`` gives for what was added so far: only they may be given in the end."""
        rows = np.concatenate([np.empty(0, np.int64), *self._rows])
        found = np.concatenate([np.empty(0, np.uint16), *self._distances])
        order = np.argsort(found, kind="stable")[: 2 * self._wanted]
        if len(order) >= self._wanted:
            self._upto = int(found[order[self._wanted - 1]])
            order = order[: np.searchsorted(found[order], self._upto, "right")]
        order.sort()
        self._rows, self._distances, self._held = [rows[order]], [found[order]], len(order)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
