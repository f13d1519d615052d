"""One document as it was read: from which bytes, what was stored of it, and what the report says of it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from backtrail.ingest.parsed import ParsedDocument, SkippedPart

_UNSURE = 2_000_000_000
"""Nanoseconds: a file changed so shortly before it was read may change again without another time of change."""


class FileState(NamedTuple):
    """A file that was read. ``size`` is -1 where there was none, ``changed`` 0 where its contents have to be compared.

    ``changed`` is its time of change in nanoseconds, ``digest`` the sha256 of its contents.
    """

    path: str
    size: int
    changed: int
    digest: str

    def holds(self) -> bool:
        """Whether the file is as it was. Its contents are read only where its size and time of change do not tell."""
        try:
            found = os.stat(self.path)
        except (OSError, ValueError):
            return self.size < 0
        if found.st_size != self.size:
            return False
        return (self.changed and found.st_mtime_ns == self.changed) or _digest(self.path) == self.digest


def state_of(path: Path | str, digest: str = "") -> FileState:
    """How a file is now; ``digest`` is the sha256 of its contents where that is known."""
    try:
        found = os.stat(path)
        sure = time.time_ns() - found.st_mtime_ns > _UNSURE
        return FileState(str(path), found.st_size, found.st_mtime_ns if sure else 0, digest or _digest(path))
    except (OSError, ValueError):  # none, or no name that a file can have
        return FileState(str(path), -1, 0, "")


def _digest(path: Path | str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Reading:
    """What is known of a document without parsing it again.

    Attributes:
        document: its id.
        stored: the hash it was stored with; it tells whether the corpus still holds what was read.
        models: which models and OCR took part.
        files: what was read besides the text of the source.
        pictures: of its components that show a picture which is stored, how many there are.
        contents: sha256 of its pictures.
        shown: the files that they come from.
        skipped: parts that could not be read.
        left_out: what was not evaluated, by name.
    """

    document: str
    stored: str
    models: str
    files: Sequence[FileState]
    pictures: int
    contents: Sequence[str]
    shown: Sequence[str]
    skipped: Sequence[SkippedPart]
    left_out: dict[str, int]

    def holds(self) -> bool:
        """Whether every file that was read besides is as it was."""
        return all(file.holds() for file in self.files)


def reading_of(parsed: ParsedDocument, stored: str, models: str, files: Sequence[FileState] = ()) -> Reading:
    """What is to be known of a document that was parsed.

    Args:
        stored: the hash it is stored with.
        models: which models and OCR took part.
        files: what was read besides its pictures and the text of the source.
    """
    shown = {str(blob): sha256 for sha256, blob in parsed.blobs.items() if isinstance(blob, Path)}
    return Reading(
        document=parsed.document.id,
        stored=stored,
        models=models,
        files=(*files, *(state_of(path, sha256) for path, sha256 in shown.items())),
        pictures=sum(1 for part in parsed.components if part.image is not None and part.image.blob),
        contents=tuple(parsed.blobs),
        shown=tuple(os.path.realpath(path) for path in shown),
        skipped=tuple(parsed.skipped),
        left_out=parsed.left_out,
    )
