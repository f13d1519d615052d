"""Which documents the links of authors join: pairs of rows, held as one array of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from backtrail.tools.corpus.generation import Rows
from backtrail.tools.corpus.tables.schema import components, links

_LOW = 0xFFFFFFFF


class LinkedPairs:
    """Pairs of document rows that a link joins, in its direction. A target that is gone is -1."""

    def __init__(self, pairs: Rows) -> None:
        """Take pairs [n, 2], in any order and repeated; those of a document with itself are left out."""
        apart = pairs[pairs[:, 0] != pairs[:, 1]]
        self._codes = np.unique(apart[:, 0] << 32 | (apart[:, 1] & _LOW))

    def __contains__(self, pair: tuple[int, int]) -> bool:
        """Whether a link leads from the first row to the second."""
        code = pair[0] << 32 | (pair[1] & _LOW)
        place = int(np.searchsorted(self._codes, code))
        return place < len(self._codes) and int(self._codes[place]) == code

    def array(self) -> Rows:
        """The pairs [n, 2], sorted."""
        return np.column_stack([self._codes >> 32, (self._codes & _LOW).astype(np.int32)]).astype(np.int64)

    def differing(self, other: LinkedPairs) -> set[int]:
        """Rows of documents that do not link to the same ones in both."""
        return set((np.setxor1d(self._codes, other._codes, assume_unique=True) >> 32).tolist())

    def loose(self, count: int) -> NDArray[np.int64]:
        """Those of so many rows that no link leaves or reaches."""
        touched = np.zeros(count, np.bool_)
        touched[self.array().ravel()] = True
        return np.flatnonzero(~touched)


def linked_pairs(connection: Connection, keys: Sequence[int], ids: Sequence[str]) -> LinkedPairs:
    """The pairs that links join now; ``keys`` and ``ids`` are those of all documents, in reading order."""
    row_of = {id_: row for row, id_ in enumerate(ids)}
    statement = (
        select(components.c.document_key, links.c.target)
        .join_from(links, components, links.c.component_key == components.c.key)
        .where(links.c.kind == "internal")
    )
    found = connection.execute(statement).all()
    sources = np.fromiter((key for key, _ in found), np.int64, len(found))
    targets = np.fromiter((row_of[target] for _, target in found), np.int64, len(found))
    return LinkedPairs(np.column_stack([np.searchsorted(np.array(keys, np.int64), sources), targets]))
