"""Choose the files that are parsed in a separate process from the start."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable
from functools import cached_property

from backtrail.ingest.discover import Source
from backtrail.ingest.kinds import PAGES, SourceKind

MOST_BYTES = 256 * 1024
"""Maximum size of a file parsed in the ingest's own process (ours): the worst hostile files below it took a few
processor seconds, an ordinary page of this size 0.2; starting a process costs 0.35."""

MOST_UNPACKED = 4 * 2**20
"""The same for the unpacked parts of an archive without media (ours)."""

_MOST_OF_MAIL = 16 * 1024
"""The same for a message, which may have a compressed attachment."""

_APART: frozenset[SourceKind] = frozenset({"image", "old_excel"})
"""Kinds that are limited by pixels, or always read in a separate process."""

_MAIL: frozenset[SourceKind] = frozenset({"mail", "mailbox", "outlook"})
_MEDIA = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".mp3", ".mp4", ".ttf", ".otf", ".odttf")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError)


class Costs:
    """Set of costly files of an ingest. One costly page makes all of its folder costly: they may read it."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = sources

    def __contains__(self, source: Source) -> bool:
        return (source.kind in PAGES and id(source.site_map) in self._folders) or is_costly(source)

    @cached_property
    def _folders(self) -> set[int]:
        pages = (source for source in self._sources if source.kind in PAGES and source.site_map is not None)
        return {id(page.site_map) for page in pages if is_costly(page)}


def is_costly(source: Source) -> bool:
    """Return whether parsing a file may take much time or memory."""
    try:
        size = source.path.stat().st_size
        if source.kind in _APART and not _is_archive(source):
            return False
        if size > (_MOST_OF_MAIL if source.kind in _MAIL else MOST_BYTES):
            return True
        return _is_archive(source) and _unpacked(source) > MOST_UNPACKED
    except OSError:  # reported by the parser
        return False


def _is_archive(source: Source) -> bool:
    """Return whether a file starts like an archive; contents decide the kind, not the name."""
    with source.path.open("rb") as stream:
        return stream.read(4) == b"PK\x03\x04"


def _unpacked(source: Source) -> int:
    try:
        with zipfile.ZipFile(source.path) as archive:
            parts = archive.infolist()
    except _BROKEN:
        return 0
    return sum(part.file_size for part in parts if not part.filename.lower().endswith(_MEDIA))
