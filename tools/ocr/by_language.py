"""OCR in the language of a picture's document, if Tesseract has it installed; else in English."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from backtrail.tools.ocr.lines import Line
from backtrail.tools.ocr.protocol import Ocr

AUTO = "auto"
ENGLISH = "eng"
PACKS = {
    "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": ENGLISH,
    "es": "spa", "fa": "fas", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun", "id": "ind",
    "it": "ita", "ja": "jpn", "ko": "kor", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron",
    "ru": "rus", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "chi_sim",
}  # fmt: skip
"""Tesseract's names of languages, by ISO 639-1 code."""


def languages_for(language: str, installed: Collection[str]) -> str:
    """Return Tesseract's languages for a document: its own before English, if installed."""
    wanted = dict.fromkeys([PACKS.get(language, ENGLISH), ENGLISH])
    return "+".join(pack for pack in wanted if pack in installed) or ENGLISH


class OcrByLanguage:
    """Implements ``Ocr`` and ``ManyLanguages``. Opens OCR for a language on first use."""

    name = f"tesseract:{AUTO}"

    def __init__(self, fingerprint: str, installed: Collection[str], open_languages: Callable[[str], Ocr]) -> None:
        """Store how to open OCR.

        Args:
            fingerprint: names the program and all installed languages, as another language may read more.
            installed: Tesseract's names of the installed languages.
            open_languages: opens OCR for such names joined by '+'.
        """
        self.fingerprint = fingerprint
        self._installed = frozenset(installed)
        self._open = open_languages
        self._opened: Mapping[str, Ocr] = {}

    def in_language(self, language: str) -> Ocr:
        """Return OCR for documents in a language, given by its ISO 639-1 code."""
        names = languages_for(language, self._installed)
        if names not in self._opened:
            self._opened = {**self._opened, names: self._open(names)}
        return self._opened[names]

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """As ``Ocr.read``, in English."""
        return self.in_language("en").read(picture)

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """As ``Ocr.recall``, of what was read in English."""
        return self.in_language("en").recall(picture)
