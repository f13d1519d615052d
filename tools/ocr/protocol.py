"""Protocol of optical character recognition."""

from __future__ import annotations

import os
from typing import Protocol, runtime_checkable

from backtrail.tools.ocr.lines import Line

AT_ONCE = max(1, min(4, os.cpu_count() or 1))
"""Concurrent readings on one machine: each keeps one core busy; ours."""


class Ocr(Protocol):
    """Optical character recognition.

    Attributes:
        name: its name for ``open_ocr``, stored with a corpus, such as ``tesseract:eng``.
        fingerprint: changes when results may change: program, version, languages, our way of reading.
    """

    name: str
    fingerprint: str

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """Read the lines of a picture file, with boxes in its pixels. Blocking and thread-safe.

        Raises:
            OcrFailed: this picture could not be read.
        """
        ...

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """Return the cached result of a picture file; None if there is none."""
        ...


@runtime_checkable
class ManyLanguages(Protocol):
    """Additional method of OCR that reads each picture in the language of its document."""

    def in_language(self, language: str) -> Ocr:
        """Return OCR for documents in a language, given by its ISO 639-1 code."""
        ...


def at_once(ocr: Ocr) -> int:
    """Return the number of concurrent readings: the OCR's own, or the default."""
    return getattr(ocr, "at_once", AT_ONCE)
