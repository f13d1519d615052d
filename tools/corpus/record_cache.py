"""Cache records of a corpus: the hops of a run read the same ones again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, TypeVar

from backtrail.state.component import Component, Document, Link

KEPT = 250_000
"""Total weight of a cache's records (ours), about 1.2 kB each. The least recently used go first."""
CHARACTERS = 1_200
"""Characters of text that weigh as much as one link."""

T = TypeVar("T")


class RecordCache(Generic[T]):
    """Thread-safe cache of immutable records of one version of a corpus, owned by its reader.

    Args:
        weigh: weight of a record; one that is heavier than ``KEPT`` is not cached.
    """

    def __init__(self, weigh: Callable[[T], int]) -> None:
        self._weigh = weigh
        self._kept: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def of(self, ids: Collection[str]) -> dict[str, T]:
        """Cached records of these ids."""
        found: dict[str, T] = {}
        with self._lock:
            for id_ in ids:
                if id_ in self._kept:
                    self._kept.move_to_end(id_)
                    found[id_] = self._kept[id_][0]
        return found

    def keep(self, read: Mapping[str, T]) -> None:
        """Cache records by id."""
        with self._lock:
            for id_, record in read.items():
                weight = self._weigh(record)
                if id_ not in self._kept and weight <= KEPT:
                    self._kept[id_] = record, weight
                    self._weight += weight
            while self._weight > KEPT:
                self._weight -= self._kept.popitem(last=False)[1][1]


def weight_of_links(links: Sequence[Link]) -> int:
    """Weight of a list of links; an empty one weighs something too."""
    return len(links) + 1


def weight_of_component(component: Component) -> int:
    """Weight of a component with its links and text."""
    table = component.table
    cells = sum(len(cell) for row in (table.header, *table.rows) for cell in row) if table is not None else 0
    return len(component.links) + 1 + (len(component.text or "") + cells) // CHARACTERS


def weight_of_document(document: Document) -> int:
    """Weight of a document with its summary."""
    return 1 + len(document.summary) // CHARACTERS
