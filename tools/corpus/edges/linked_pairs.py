"""Pairs of documents that links join, as one array of numbers."""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.tables.schema import components, documents, links
from backtrail.tools.corpus.unique_numbers import distinct

_LOW = 0xFFFFFFFF
_READ = 65_536


class LinkedPairs:
    """Directed pairs of document rows that a link joins. A removed target is -1."""

    def __init__(self, pairs: Rows) -> None:
        """Build from pairs [n, 2] in any order, with repeats; links within a document are dropped."""
        apart = pairs[pairs[:, 0] != pairs[:, 1]]
        self._codes = distinct(apart[:, 0] << 32 | (apart[:, 1] & _LOW))

    def __contains__(self, pair: tuple[int, int]) -> bool:
        """Whether a link leads from the first row to the second."""
        code = pair[0] << 32 | (pair[1] & _LOW)
        place = int(np.searchsorted(self._codes, code))
        return place < len(self._codes) and int(self._codes[place]) == code

    def array(self) -> Rows:
        """The pairs [n, 2], sorted."""
        return np.column_stack([self._codes >> 32, (self._codes & _LOW).astype(np.int32)]).astype(np.int64)

    def differing(self, other: LinkedPairs) -> Rows:
        """Rows of documents whose linked documents differ."""
        return np.setxor1d(self._codes, other._codes, assume_unique=True) >> 32

    def loose(self, count: int) -> NDArray[np.bool_]:
        """Mask of the rows, out of ``count``, that no link leaves or reaches."""
        loose = np.ones(count, np.bool_)
        loose[self.array().ravel()] = False
        return loose


def linked_pairs(connection: Connection, keys: Rows) -> LinkedPairs:
    """Read the linked pairs; ``keys`` are those of all documents, in reading order."""
    target = documents.alias()
    statement = (
        select(components.c.document_key, target.c.key)
        .join_from(links, components, links.c.component_key == components.c.key)
        .join(target, target.c.id == links.c.target)
        .where(links.c.kind == "internal")
    )
    rows = connection.execute(statement, execution_options={"yield_per": _READ}).partitions()
    found = [np.fromiter(chain.from_iterable(some), np.int64).reshape(-1, 2) for some in rows]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *found])
    return LinkedPairs(np.searchsorted(keys, pairs))
