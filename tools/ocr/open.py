"""Open OCR by name, and find by which a corpus was made."""

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
    """The OCR of a name, ``tesseract:LANGUAGES``, which reads each picture once and remembers it in the cache.

    ``tesseract:auto`` reads each picture in the language of its document, as far as that is installed.

    Raises:
        SettingsError: no such OCR, or no such language.
        TesseractMissing, OcrUnusable: see ``open_tesseract``.
    """
    program, _, languages = name.partition(":")
    if program != "tesseract" or not languages:
        raise SettingsError(
            f"There is no OCR {name!r}. There is: tesseract:LANGUAGES, e.g. tesseract:eng, tesseract:auto"
        )
    if languages == AUTO:
        version, installed = installed_tesseract()
        return OcrByLanguage(f"tesseract-{version}:{AUTO}:{','.join(installed)}:r{READING}", installed, _remembering)
    return _remembering(languages)


def _remembering(languages: str) -> Ocr:
    return CachingOcr(open_tesseract(languages), cache_folder() / FOLDER)


def default_ocr() -> str:
    """Name of the OCR of a new corpus: in the language of each document where more than English is installed.

    Raises:
        TesseractMissing, OcrUnusable: see ``installed_tesseract``.
    """
    installed = installed_tesseract()[1]
    return f"tesseract:{AUTO if set(installed) - {DEFAULT_LANGUAGES} else DEFAULT_LANGUAGES}"


def recorded_ocr(corpus: str) -> str | None:
    """Name of the OCR by which a corpus was made, empty where none was; None when there is no such corpus yet."""
    try:
        return current(corpus)[2].ocr
    except CorpusNotFound:
        return None
