"""Reduce words to stems with the Snowball stemmer of their language."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import Stemmer

from backtrail.language.current_language import ENGLISH, active_language
from backtrail.language.scripts import COMMONEST, Script, folded, script_of

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
"""Snowball's algorithms by ISO 639-1 code. Words of other languages are compared as they are written."""

SCRIPT_OF: dict[str, Script] = {
    "ar": "arabic", "fa": "arabic", "ur": "arabic", "el": "greek", "hi": "devanagari", "ne": "devanagari",
    "hy": "armenian", "ru": "cyrillic", "uk": "cyrillic", "bg": "cyrillic", "sr": "cyrillic", "mk": "cyrillic",
    "ta": "tamil", "he": "hebrew", "zh": "han", "ja": "han", "ko": "hangul", "th": "other",
}  # fmt: skip
"""Scripts of languages that are not written in Latin letters."""

_stemmers: dict[str, Any] = {}
_stemming = threading.Lock()  # a Stemmer object is not thread-safe


def stem(word: str, language: str | None = None) -> str:
    """Return the stem of a normalised lower-case word, without accents.

    Args:
        word: one word.
        language: ISO 639-1 code; None takes the current language.
    """
    return _stem(word, language or active_language())


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    script = script_of(word)
    if SCRIPT_OF.get(language, "latin") != script:
        language = COMMONEST.get(script, "")
    if language == ENGLISH:  # many writers drop the accents of borrowed words
        return _snowball(folded(word), language)
    return folded(_snowball(word, language))


def _snowball(word: str, language: str) -> str:
    algorithm = _STEMMERS.get(language)
    if algorithm is None:
        return word
    with _stemming:
        if language not in _stemmers:
            _stemmers[language] = Stemmer.Stemmer(algorithm)
        return _stemmers[language].stemWord(word)
