"""Folders: documents that lie beside each other. Files that people put together often belong together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from backtrail.state.component import Link

MOST_BESIDE = 12
"""Documents of a folder that tells anything: more in one place are an archive."""


class Folders:
    """The documents of each small folder. Ids of files are paths within the ingested folder; others tell nothing."""

    def __init__(self, ids: Sequence[str]) -> None:
        held: dict[str, list[str]] = defaultdict(list)
        for id_ in ids:
            if PurePosixPath(id_).suffix:
                held[id_.rpartition("/")[0]].append(id_)
        self._held = {folder: members for folder, members in held.items() if 1 < len(members) <= MOST_BESIDE}

    def siblings(self, document: str) -> list[Link]:
        """The others of its folder; none in a large one."""
        folder = document.rpartition("/")[0]
        members = self._held.get(folder, ())
        return [
            Link(target=other, anchor=folder, kind="sibling")
            for other in members
            if document in members and other != document
        ]

    @property
    def pairs(self) -> int:
        """How many edges there are, either direction counted."""
        return sum(len(members) * (len(members) - 1) for members in self._held.values())
