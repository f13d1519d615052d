"""Read words in pictures by OCR: each distinct picture once, several at a time."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.pictures.description import WRITTEN
from backtrail.language.identify import language_of_page
from backtrail.state.component import Component
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.ocr.errors import OcrFailed
from backtrail.tools.ocr.lines import Line, joined
from backtrail.tools.ocr.protocol import ManyLanguages, Ocr, at_once

_COMPONENTS_READ = 20  # components from which a document's language is detected
_SENTENCE_ENDS = tuple(".!?。…")


@dataclass(frozen=True)
class PictureWords:
    """Result of OCR: lines, the problem, or that the picture was ``left`` for a later ingest."""

    lines: tuple[Line, ...] = ()
    problem: str = ""
    left: bool = False

    @property
    def words(self) -> str:
        """All lines as one text."""
        return joined(self.lines)


class PictureReader:
    """Reader of words in pictures with counts of distinct pictures.

    Args:
        most_seconds: time limit, after which pictures without cached words are left; None reads all.
    """

    def __init__(self, ocr: Ocr, most_seconds: float | None = None) -> None:
        self.ocr = ocr
        self._most_seconds = most_seconds
        self._seconds = 0.0
        self._read: set[str] = set()
        self._with_words: set[str] = set()
        self._failed: set[str] = set()
        self._left: set[str] = set()

    @property
    def fingerprint(self) -> str:
        """Name, languages and version of the OCR."""
        return self.ocr.fingerprint

    def counts(self) -> dict[str, Any]:
        """Return the OCR, the numbers of pictures read, with words, failed and left, and the seconds."""
        counts = {"pictures": len(self._read), "with_words": len(self._with_words), "failed": len(self._failed)}
        return {"reader": self.ocr.fingerprint, **counts, "left": len(self._left), "seconds": round(self._seconds, 1)}

    def left_any(self, blobs: Iterable[str]) -> bool:
        """Return whether any of these pictures was left for a later ingest."""
        return not self._left.isdisjoint(blobs)

    async def read(self, documents: Sequence[ParsedDocument], progress: Progress) -> Mapping[str, PictureWords]:
        """Return the words of every picture of the documents, by sha256."""
        blobs = {
            sha256: (blob, ocr)
            for document in documents
            if document.blobs
            for ocr in [self._ocr_for(document)]
            for sha256, blob in document.blobs.items()
        }
        if not blobs:
            return {}
        started = time.monotonic()
        end = math.inf if self._most_seconds is None else started + self._most_seconds - self._seconds
        progress.stage("ocr", len(blobs))
        at_work = max(at_once(ocr) for ocr in {id(ocr): ocr for _, ocr in blobs.values()}.values())
        with ThreadPoolExecutor(at_work) as readers:
            found = await asyncio.gather(*(self._one(*one, readers, end, progress) for one in blobs.values()))
        read = dict(zip(blobs, found, strict=True))
        self._seconds += time.monotonic() - started
        self._left |= {sha256 for sha256, one in read.items() if one.left}
        self._read |= read.keys() - self._left
        self._with_words |= {sha256 for sha256, one in read.items() if one.words}
        self._failed |= {sha256 for sha256, one in read.items() if one.problem}
        return read

    def read_pages(self, pictures: Sequence[bytes]) -> list[PictureWords]:
        """Return the words of a file's scanned pages, in order, read in the language of the first page."""
        started = time.monotonic()
        end = math.inf if self._most_seconds is None else started + self._most_seconds - self._seconds
        ocr = self._ocr_for_print(pictures[0], end)

        def read(picture: bytes) -> PictureWords:
            return _words(picture, ocr, only_known=time.monotonic() >= end)

        with ThreadPoolExecutor(at_once(ocr)) as readers:
            found = list(readers.map(read, pictures))
        self._seconds += time.monotonic() - started
        return found

    def _ocr_for_print(self, page: bytes, end: float) -> Ocr:
        """Return OCR in the language of a page, detected from its words as read in English."""
        if not isinstance(self.ocr, ManyLanguages):
            return self.ocr
        first = _words(page, self.ocr, only_known=time.monotonic() >= end)
        return self.ocr.in_language(language_of_page(first.words))

    def _ocr_for(self, document: ParsedDocument) -> Ocr:
        """Return OCR in the language of a document, if there is a choice."""
        if not isinstance(self.ocr, ManyLanguages):
            return self.ocr
        texts = (component.text or "" for component in islice(document.components, _COMPONENTS_READ))
        return self.ocr.in_language(language_of_page("\n".join([document.document.summary, *texts])))

    async def _one(
        self, blob: Path | bytes, ocr: Ocr, readers: ThreadPoolExecutor, end: float, progress: Progress
    ) -> PictureWords:
        def read() -> PictureWords:
            return _words(blob, ocr, only_known=time.monotonic() >= end)

        words = await asyncio.get_running_loop().run_in_executor(readers, read)
        progress.advance()
        return words


def _words(blob: Path | bytes, ocr: Ocr, *, only_known: bool) -> PictureWords:
    try:
        content = blob if isinstance(blob, bytes) else blob.read_bytes()
    except OSError as error:
        return PictureWords(problem=f"the file cannot be opened ({error.strerror})")
    if only_known:
        known = ocr.recall(content)
        return PictureWords(known or (), left=known is None)
    try:
        return PictureWords(ocr.read(content))
    except OcrFailed as error:
        return PictureWords(problem=str(error))


def with_words(component: Component, words: Mapping[str, PictureWords], skipped: list[SkippedPart]) -> Component:
    """Add the words of a picture to its component, after its description if it has one.

    Args:
        words: words by the picture's sha256.
        skipped: list for pictures that could not be read, with the reason.
    """
    picture = component.image
    read = words.get(picture.blob or "") if picture else None
    if picture is None or read is None:
        return component
    if read.problem:
        skipped.append(SkippedPart(component.id, f"the words in the picture were not read: {read.problem}"))
    if not read.words or WRITTEN in picture.recognized:  # the words of a drawing are known
        return component
    description = picture.recognized.strip()
    if description and not description.endswith(_SENTENCE_ENDS):
        description += "."
    recognized = f"{description} {WRITTEN} {read.words}".strip()
    return component.model_copy(update={"image": picture.model_copy(update={"recognized": recognized})})
