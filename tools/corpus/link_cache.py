"""Cache the links of components with very many links."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Literal

from backtrail.state.component import Link

MANY = 1_000
"""Links from which a component is cached (ours): fewer are read in a few milliseconds."""
KEPT = 250_000
"""Cached links in total (ours), about 1.2 kB each; the least recently used are evicted first."""

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
            if self._kept:
                for id_ in component_ids:
                    if (which, id_) in self._kept:
                        self._kept.move_to_end((which, id_))
                        found[id_] = self._kept[which, id_]
        return found

    def keep(self, which: Which, component_id: str, links: Sequence[Link]) -> None:
        """Cache links of a component, if they are many."""
        if not MANY <= len(links) <= KEPT:
            return
        with self._lock:
            if (which, component_id) in self._kept:
                return
            self._kept[which, component_id] = tuple(links)
            self._count += len(links)
            while self._count > KEPT:
                self._count -= len(self._kept.popitem(last=False)[1])
