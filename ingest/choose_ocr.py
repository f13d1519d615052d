"""Choose whether an ingest uses OCR, and its languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from backtrail.tools.ocr.protocol import Ocr

MOST_SECONDS = 600.0
"""Of one ingest that was not asked for OCR; ours."""

MISSING = (
    "words in pictures were not read: Tesseract is not installed. Install tesseract-ocr (Debian, Ubuntu) or tesseract "
    "(Homebrew) and give --ocr"
)


@dataclass(frozen=True)
class OcrChoice:
    """The OCR of an ingest, if any; its seconds, if bounded; and what to say where it is missing."""

    ocr: Ocr | None = None
    seconds: float | None = None
    note: str = ""


def choose_ocr(wanted: bool | None, languages: str | None, corpus: str) -> OcrChoice:
    """The OCR of an ingest.

    Unless it is asked for or refused, a new corpus has OCR if it is installed, and one that exists keeps to what it was
    made with: what is in it must not change because a program was installed meanwhile.

    Args:
        wanted: ``--ocr`` or ``--no-ocr``; None where neither is given.
        languages: of the words, joined by '+', or auto; None takes the corpus's own, for a new one the language of
            each document as far as that is installed.

    Raises:
        SettingsError: languages without OCR, or one that is not installed.
        TesseractMissing, OcrUnusable: the program is wanted and cannot be used.
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
