"""The words that stand in the pictures of documents, read by OCR: each distinct picture once, a few at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.state.component import Component
from backtrail.tools.ocr.errors import OcrFailed
from backtrail.tools.ocr.protocol import Ocr

AT_ONCE = max(1, min(4, os.cpu_count() or 1))
"""Each reading keeps one core busy; ours."""

WRITTEN = "Written in the picture:"
"""What readers are told of the words."""

_SENTENCE_ENDS = tuple(".!?。…")


@dataclass(frozen=True)
class PictureWords:
    """What OCR made of a picture: its words, or why it could not be read."""

    words: str = ""
    problem: str = ""


class PictureReader:
    """Reads the pictures of documents, and counts the distinct ones."""

    def __init__(self, ocr: Ocr) -> None:
        self.ocr = ocr
        self._read: set[str] = set()
        self._with_words: set[str] = set()
        self._failed: set[str] = set()

    def counts(self) -> dict[str, Any]:
        """By what pictures were read, how many, how many of them have words, and how many failed."""
        counts = {"pictures": len(self._read), "with_words": len(self._with_words), "failed": len(self._failed)}
        return {"reader": self.ocr.fingerprint, **counts}

    async def read(self, documents: Sequence[ParsedDocument]) -> Mapping[str, PictureWords]:
        """The words of every picture whose file the documents hold, by its sha256."""
        blobs = {sha256: blob for document in documents for sha256, blob in document.blobs.items()}
        room = asyncio.Semaphore(AT_ONCE)
        read = dict(zip(blobs, await asyncio.gather(*(self._one(blob, room) for blob in blobs.values())), strict=True))
        self._read |= read.keys()
        self._with_words |= {sha256 for sha256, one in read.items() if one.words}
        self._failed |= {sha256 for sha256, one in read.items() if one.problem}
        return read

    async def _one(self, blob: Path | bytes, room: asyncio.Semaphore) -> PictureWords:
        async with room:
            return await asyncio.to_thread(self._words, blob)

    def _words(self, blob: Path | bytes) -> PictureWords:
        try:
            content = blob if isinstance(blob, bytes) else blob.read_bytes()
        except OSError as error:
            return PictureWords(problem=f"the file cannot be opened ({error.strerror})")
        try:
            return PictureWords(words=self.ocr.read(content))
        except OcrFailed as error:
            return PictureWords(problem=str(error))


def with_words(component: Component, words: Mapping[str, PictureWords], skipped: list[SkippedPart]) -> Component:
    """A picture with the words that were read in it, behind its description if it has one.

    Args:
        words: by the sha256 of the picture; what is not there was not read.
        skipped: takes a picture that could not be read, with the reason.
    """
    picture = component.image
    read = words.get(picture.blob or "") if picture else None
    if picture is None or read is None:
        return component
    if read.problem:
        skipped.append(SkippedPart(component.id, f"the words in the picture were not read: {read.problem}"))
    if not read.words:
        return component
    description = picture.recognized.strip()
    if description and not description.endswith(_SENTENCE_ENDS):
        description += "."
    recognized = f"{description} {WRITTEN} {read.words}".strip()
    return component.model_copy(update={"image": picture.model_copy(update={"recognized": recognized})})
