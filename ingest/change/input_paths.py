"""Input paths of an ingest, and documents whose files are gone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.discover import Discovery, Source, discover
from backtrail.ingest.errors import NothingCameFrom
from backtrail.ingest.web.mirror import Mirror
from backtrail.ingest.web.sources import sources_of
from backtrail.tools.corpus.writing.writer import Known


@dataclass(frozen=True)
class Met:
    """What was met of given paths in one pass over them.

    Attributes:
        seen: ids of documents, and the source that had each first.
        incomplete: roots of which not all documents are known.
        unreadable: files that could not be read; each may have been several documents.
    """

    seen: dict[str, str] = field(default_factory=dict[str, str])
    incomplete: set[str] = field(default_factory=set[str])
    unreadable: set[str] = field(default_factory=set[str])


class Given:
    """Folders and files, named from the root: what is stored must not depend on where we stand.

    Args:
        paths: folders and files as a user named them.
        sites: mirrors of sites of the web, each like a folder.
        instead_of: folders whose place the first of the paths takes.
    """

    def __init__(self, paths: Sequence[Path], sites: Sequence[Mirror] = (), instead_of: Sequence[Path] = ()) -> None:
        self._paths = [Path(os.path.abspath(path)) for path in paths]
        self._sites = sites
        self._left = {os.path.abspath(path) for path in instead_of}
        roots = [*self._paths, *(site.root for site in sites)]
        self._folders = [path for path in roots if path.is_dir()]
        self._files = [path for path in roots if path.is_file()]

    def sources(self) -> Discovery:
        """What lies under the paths, then what was fetched of the sites.

        Raises:
            NoSuchPath, NothingToIngest, DuplicateDocument: see ``discover``.
        """
        sources = discover(self._paths) if self._paths or not self._sites else Discovery()
        for site in self._sites:
            sources.add(sources_of(site))
        return sources

    def check(self, corpus: str, known: Mapping[str, Known]) -> None:
        """Refuse to take the place of a folder that no document of the corpus came from.

        Raises:
            NothingCameFrom: there is one.
        """
        came_from = {held.root for held in known.values()}
        if strange := sorted(self._left - came_from):
            raise NothingCameFrom(corpus, strange[0], sorted(came_from))

    def root_of(self, source: Source) -> str:
        """The given folder that a source was found in; the file itself when it was given directly."""
        folders = (str(folder) for folder in self._folders if source.path.is_relative_to(folder))
        return next(folders, str(source.path))

    def gives_way(self, known: Known) -> bool:
        """Whether a document that came from elsewhere leaves its id to one of these paths."""
        return known.root in self._left or not Path(known.root).exists()

    def gone(self, known: Mapping[str, Known], met: Met, skipped: Sequence[Path]) -> Iterator[str]:
        """Ids of what a given folder or file no longer has. What is there but was not read keeps its old version.

        Args:
            known: what the corpus holds.
            skipped: files and folders that were passed over.
        """
        roots = {str(path) for path in (*self._folders, *self._files)} - met.incomplete
        roots |= set() if met.incomplete else self._left
        for id_, held in known.items():
            if held.root not in roots or id_ in met.seen or (lies := self._lies(held)) in met.unreadable:
                continue
            if not any(Path(lies).is_relative_to(path) for path in skipped):
                yield id_

    def _lies(self, known: Known) -> str:
        """Where the source of a document is to be looked for now."""
        if known.root in self._left and self._folders and Path(known.source).is_relative_to(known.root):
            return str(self._folders[0] / Path(known.source).relative_to(known.root))
        return known.source
