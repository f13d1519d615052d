"""Cache entry of one document: source file state, stored content, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from backtrail.ingest.parse_cache.file_state import FileState, state_of
from backtrail.ingest.parsed import ParsedDocument, SkippedPart


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of a document without parsing it again.

    Attributes:
        document: its id; "" of a picture that becomes none.
        stored: the hash it was stored with; it tells whether the corpus still holds what was read.
        models: which models and OCR took part.
        files: what was read besides the text of the source, of a document of a bundle.
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

    def renewed(self) -> Reading | None:
        """The same with the times of change that its files have now; None where one of them is not as it was."""
        files = [file.renewed() for file in self.files]
        same = [file for file in files if file is not None]
        return replace(self, files=same) if len(same) == len(files) else None


def reading_of(parsed: ParsedDocument, stored: str, models: str, *, traced: bool = False) -> Reading:
    """What is to be known of a document that was parsed.

    Args:
        stored: the hash it is stored with.
        models: which models and OCR took part.
        traced: whether the files of its pictures are noted with its source.
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
