"""Who reads the words in a picture."""

from __future__ import annotations

import os
from typing import Protocol, runtime_checkable

from backtrail.tools.ocr.lines import Line

AT_ONCE = max(1, min(4, os.cpu_count() or 1))
"""Pictures that are read side by side on one machine: each reading keeps one core busy; ours."""


class Ocr(Protocol):
    """Optical character recognition.

    Attributes:
        name: what it is opened by and a corpus records, e.g. ``tesseract:eng``.
        fingerprint: changes when it may read the same picture differently: program, version, languages, our way
            of reading.
    """

    name: str
    fingerprint: str

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """The lines of words in a picture file, with their places in its pixels. Blocking, and safe in threads.

        Raises:
            OcrFailed: this picture could not be read; the next one may.
        """
        ...

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """What was read in a picture file before; None where that is not known. Takes no time to speak of."""
        ...


@runtime_checkable
class ManyLanguages(Protocol):
    """What OCR has besides that reads each picture in the language of its document."""

    def in_language(self, language: str) -> Ocr:
        """OCR for documents in a language by its ISO 639-1 code."""
        ...


def at_once(ocr: Ocr) -> int:
    """How many pictures are given to OCR side by side: what it says itself, where other machines read."""
    return getattr(ocr, "at_once", AT_ONCE)
