"""Cache the links of components: the hops of a run read the same components again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from backtrail.state.component import Link

KEPT = 250_000
"""Cached links in total (ours), about 1.2 kB each; a list counts as one more. The least recently used go first."""

Which = Literal["written", "internal"]
"""All links of the author, or those to other documents."""


class LinkCache:
    """Thread-safe cache of links of one version of a corpus, owned by its reader."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Which, str], Sequence[Link]] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()

    def of(self, which: Which, component_ids: Collection[str]) -> dict[str, Sequence[Link]]:
        """Cached links of these components, by id."""
        found: dict[str, Sequence[Link]] = {}
        with self._lock:
            for id_ in component_ids:
                if (which, id_) in self._kept:
                    self._kept.move_to_end((which, id_))
                    found[id_] = self._kept[which, id_]
        return found

    def keep(self, which: Which, read: Mapping[str, Sequence[Link]]) -> None:
        """Cache the links of components, possibly none; more of one than fit are not kept."""
        with self._lock:
            for id_, links in read.items():
                if (which, id_) not in self._kept and len(links) < KEPT:
                    self._kept[which, id_] = tuple(links)
                    self._count += len(links) + 1
            while self._count > KEPT:
                self._count -= len(self._kept.popitem(last=False)[1]) + 1
