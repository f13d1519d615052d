"""Open OCR by name, and find the OCR of a corpus."""

from __future__ import annotations

from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.open import current
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import cache_folder
from backtrail.tools.ocr.by_language import AUTO, OcrByLanguage
from backtrail.tools.ocr.cache import CachingOcr
from backtrail.tools.ocr.forget_pictures import FOLDER
from backtrail.tools.ocr.protocol import Ocr
from backtrail.tools.ocr.tesseract import DEFAULT_LANGUAGES, READING, installed_tesseract, open_tesseract


def open_ocr(name: str) -> Ocr:
    """Open ``tesseract:LANGUAGES``, which reads each picture once and caches the result.

    ``tesseract:auto`` reads each picture in the language of its document, if that is installed.

    Raises:
        SettingsError: no such OCR, or no such language.
        TesseractMissing, OcrUnusable: see ``open_tesseract``.
    """
    program, _, languages = name.partition(":")
    if program != "tesseract" or not languages:
        raise SettingsError(
            f"There is no OCR {name!r}. Use tesseract:LANGUAGES, for example tesseract:eng or tesseract:auto."
        )
    if languages == AUTO:
        version, installed = installed_tesseract()
        return OcrByLanguage(f"tesseract-{version}:{AUTO}:{','.join(installed)}:r{READING}", installed, _remembering)
    return _remembering(languages)


def _remembering(languages: str) -> Ocr:
    return CachingOcr(open_tesseract(languages), cache_folder() / FOLDER)


def default_ocr() -> str:
    """Return the OCR's name for a new corpus: per document's language if more than English is installed.

    Raises:
        TesseractMissing, OcrUnusable: see ``installed_tesseract``.
    """
    installed = installed_tesseract()[1]
    return f"tesseract:{AUTO if set(installed) - {DEFAULT_LANGUAGES} else DEFAULT_LANGUAGES}"


def recorded_ocr(corpus: str) -> str | None:
    """Return the name of a corpus's OCR, empty if it has none; None if there is no such corpus."""
    try:
        return current(corpus)[2].ocr
    except CorpusNotFound:
        return None
