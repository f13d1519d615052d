"""Choose the files that are parsed in a separate process from the start."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable
from functools import cached_property

from backtrail.ingest.discover import Source
from backtrail.ingest.kinds import PAGES, SourceKind

MOST_BYTES = 256 * 1024
"""Of a file that is parsed in the ingest's own process (ours): the worst of the campaign's files below it took a few
seconds of processor, and an ordinary page of this size 0.2; starting a process costs 0.35."""

MOST_UNPACKED = 4 * 2**20
"""The same for all parts of an archive that are no media, once they are unpacked (ours)."""

_MOST_OF_MAIL = 16 * 1024
"""A message may bring an archive along, which its size says nothing of."""

_APART: frozenset[SourceKind] = frozenset({"image", "old_excel"})
"""Kinds that are bounded by their pixels, or read in a process of their own anyway."""

_MAIL: frozenset[SourceKind] = frozenset({"mail", "mailbox", "outlook"})
_MEDIA = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".mp3", ".mp4", ".ttf", ".otf", ".odttf")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError)


class Costs:
    """Says which files of an ingest are costly. A page is, too, where another of its folder is: it may ask for that."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = sources

    def __contains__(self, source: Source) -> bool:
        return (source.kind in PAGES and id(source.site_map) in self._folders) or is_costly(source)

    @cached_property
    def _folders(self) -> set[int]:
        pages = (source for source in self._sources if source.kind in PAGES and source.site_map is not None)
        return {id(page.site_map) for page in pages if is_costly(page)}


def is_costly(source: Source) -> bool:
    """Whether parsing a file may take more than a moment, or more memory than an ingest should bet on."""
    try:
        size = source.path.stat().st_size
        if source.kind in _APART and not _is_archive(source):
            return False
        if size > (_MOST_OF_MAIL if source.kind in _MAIL else MOST_BYTES):
            return True
        return _is_archive(source) and _unpacked(source) > MOST_UNPACKED
    except OSError:  # told of by whoever parses it
        return False


def _is_archive(source: Source) -> bool:
    """By its first bytes, as those say what a file is read as, whatever its name says."""
    with source.path.open("rb") as stream:
        return stream.read(4) == b"PK\x03\x04"


def _unpacked(source: Source) -> int:
    try:
        with zipfile.ZipFile(source.path) as archive:
            parts = archive.infolist()
    except _BROKEN:
        return 0
    return sum(part.file_size for part in parts if not part.filename.lower().endswith(_MEDIA))
