"""Input paths of an ingest, and the stored documents that are missing in them."""

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
class SeenDocuments:
    """Documents met in one pass over the input paths.

    Attributes:
        seen: ids of documents and the first source of each.
        incomplete: roots with unknown documents.
        unreadable: files that could not be read; each may contain several documents.
    """

    seen: dict[str, str] = field(default_factory=dict[str, str])
    incomplete: set[str] = field(default_factory=set[str])
    unreadable: set[str] = field(default_factory=set[str])


class InputPaths:
    """Input folders and files as absolute paths, which do not depend on the working directory.

    Args:
        paths: folders and files as named by the user.
        sites: mirrors of web sites, each treated as a folder.
        instead_of: folders that the first path replaces.
    """

    def __init__(self, paths: Sequence[Path], sites: Sequence[Mirror] = (), instead_of: Sequence[Path] = ()) -> None:
        self._paths = [Path(os.path.abspath(path)) for path in paths]
        self._sites = sites
        self._left = {os.path.abspath(path) for path in instead_of}
        roots = [*self._paths, *(site.root for site in sites)]
        self._folders = [path for path in roots if path.is_dir()]
        self._files = [path for path in roots if path.is_file()]

    def sources(self) -> Discovery:
        """Return the sources under the paths, then those of the sites.

        Raises:
            NoSuchPath, NothingToIngest, DuplicateDocument: see ``discover``.
        """
        sources = discover(self._paths) if self._paths or not self._sites else Discovery()
        for site in self._sites:
            sources.add(sources_of(site))
        return sources

    def check(self, corpus: str, known: Mapping[str, Known]) -> None:
        """Check that the corpus has documents of each folder to replace.

        Raises:
            NothingCameFrom: it has none of one.
        """
        came_from = {held.root for held in known.values()}
        if missing := sorted(self._left - came_from):
            raise NothingCameFrom(corpus, missing[0], sorted(came_from))

    def root_of(self, source: Source) -> str:
        """Return the input folder of a source, or the file itself if it was named directly."""
        folders = (str(folder) for folder in self._folders if source.path.is_relative_to(folder))
        return next(folders, str(source.path))

    def gives_way(self, known: Known) -> bool:
        """Return whether a document from elsewhere may be replaced by one with the same id."""
        return known.root in self._left or not Path(known.root).exists()

    def gone(self, known: Mapping[str, Known], met: SeenDocuments, skipped: Sequence[Path]) -> Iterator[str]:
        """Yield ids of documents missing in the input paths. Files that could not be read keep their version.

        Args:
            known: documents of the corpus.
            skipped: skipped files and folders.
        """
        roots = {str(path) for path in (*self._folders, *self._files)} - met.incomplete
        roots |= set() if met.incomplete else self._left
        for id_, document in known.items():
            if document.root not in roots or id_ in met.seen or (lies := self._lies(document)) in met.unreadable:
                continue
            if not any(Path(lies).is_relative_to(path) for path in skipped):
                yield id_

    def _lies(self, known: Known) -> str:
        """Return the current path of a document's source."""
        if known.root in self._left and self._folders and Path(known.source).is_relative_to(known.root):
            return str(self._folders[0] / Path(known.source).relative_to(known.root))
        return known.source
