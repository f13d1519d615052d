"""Sibling edges between documents of one folder: files stored together often belong together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from backtrail.state.component import Link

MOST_BESIDE = 12
"""Documents of a folder whose members are siblings: a larger folder is an archive."""


class Folders:
    """The documents of each small folder. Only ids of files are paths; others are left out."""

    def __init__(self, ids: Sequence[str]) -> None:
        by_folder: dict[str, list[str]] = defaultdict(list)
        for id_ in ids:
            if PurePosixPath(id_).suffix:
                by_folder[id_.rpartition("/")[0]].append(id_)
        self._members = {folder: members for folder, members in by_folder.items() if 1 < len(members) <= MOST_BESIDE}

    def siblings(self, document: str) -> list[Link]:
        """The other documents of its folder; none in a large one."""
        folder = document.rpartition("/")[0]
        members = self._members.get(folder, ())
        return [
            Link(target=other, anchor=folder, kind="sibling")
            for other in members
            if document in members and other != document
        ]

    @property
    def pairs(self) -> int:
        """Number of edges, both directions counted."""
        return sum(len(members) * (len(members) - 1) for members in self._members.values())
