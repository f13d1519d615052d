"""Cache entry of a document: states of source files, stored content, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from backtrail.ingest.parse_cache.file_state import FileState, state_of
from backtrail.ingest.parsed import ParsedDocument, SkippedPart


@dataclass(frozen=True, slots=True)
class Reading:
    """Cached result of parsing a document.

    Attributes:
        document: its id; "" for a picture without a document.
        stored: hash it was stored with, which shows whether the corpus still has this content.
        models: models and OCR used.
        files: files read besides the source's text, for documents of bundles.
        pictures: number of components with a stored picture.
        contents: sha256 of its pictures.
        shown: files of its pictures.
        skipped: parts that could not be read.
        left_out: constructs that were not evaluated, by name.
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

    def renewed(self) -> Reading | None:
        """Return the reading with current modification times; None if a file has changed."""
        files = [file.renewed() for file in self.files]
        same = [file for file in files if file is not None]
        return replace(self, files=same) if len(same) == len(files) else None


def reading_of(parsed: ParsedDocument, stored: str, models: str, *, traced: bool = False) -> Reading:
    """Create the cache entry of a parsed document.

    Args:
        stored: hash it is stored with.
        models: models and OCR used.
        traced: whether the files of its pictures are recorded with its source.
    """
    shown = {str(blob): sha256 for sha256, blob in parsed.blobs.items() if isinstance(blob, Path)}
    return Reading(
        document=parsed.document.id,
        stored=stored,
        models=models,
        files=() if traced else [state_of(path, sha256) for path, sha256 in shown.items()],
        pictures=sum(1 for part in parsed.components if part.image is not None and part.image.blob),
        contents=tuple(parsed.blobs),
        shown=tuple(os.path.realpath(path) for path in shown),
        skipped=tuple(parsed.skipped),
        left_out=parsed.left_out,
    )
