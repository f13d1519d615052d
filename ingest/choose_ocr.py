"""Choose the OCR of an ingest and its languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from backtrail.tools.ocr.protocol import Ocr

MOST_SECONDS = 600.0
"""Seconds of OCR in an ingest without ``--ocr`` (ours)."""

MISSING = (
    "words in pictures were not read: Tesseract is not installed. Install tesseract-ocr (Debian, Ubuntu) or tesseract "
    "(Homebrew) and give --ocr"
)


@dataclass(frozen=True)
class OcrChoice:
    """OCR of an ingest, if any; its limit in seconds, if any; and a note if Tesseract is missing."""

    ocr: Ocr | None = None
    seconds: float | None = None
    note: str = ""


def choose_ocr(wanted: bool | None, languages: str | None, corpus: str) -> OcrChoice:
    """Choose the OCR of an ingest.

    Without an option a new corpus uses OCR if it is installed, and an existing one keeps its choice, so that its
    contents do not change because a program was installed.

    Args:
        wanted: ``--ocr`` or ``--no-ocr``; None without either.
        languages: joined by '+', or auto; None for the corpus's own, in a new corpus each document's language if
            installed.

    Raises:
        SettingsError: languages without OCR, or one that is not installed.
        TesseractMissing, OcrUnusable: OCR is required and cannot be used.
    """
    from backtrail.tools.ocr.errors import TesseractMissing
    from backtrail.tools.ocr.open import default_ocr, open_ocr, recorded_ocr

    recorded = recorded_ocr(corpus)
    if wanted is False or (wanted is None and recorded == ""):
        if languages is not None:
            raise SettingsError("--ocr-language names the languages of words in pictures; give --ocr as well.")
        return OcrChoice()
    try:
        name = f"tesseract:{languages}" if languages else recorded or default_ocr()
        return OcrChoice(open_ocr(name), seconds=None if wanted else MOST_SECONDS)
    except TesseractMissing as error:
        if wanted is None and recorded is None and languages is None:
            return OcrChoice(note=MISSING)
        if recorded and not wanted:
            also = f"Corpus {corpus!r} was made with it; --no-ocr stores its pictures without their words."
            raise TesseractMissing(also) from error
        raise
