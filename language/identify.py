"""Language identification with py3langid (BSD; its model is part of the package).

Compared with others in docs/languages.md. A restricted set of languages reduces errors on short texts. Uncertain texts
count as English. Plain English is recognised without the model, which takes a second to load.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Collection
from copy import copy
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from backtrail.language.current_language import ENGLISH
from backtrail.language.scripts import COMMONEST, KANA_LETTER, WORD, Script, script_of
from backtrail.language.stems import SCRIPT_OF
from backtrail.language.stop_words import FUNCTION_WORDS, stop_words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LANGUAGES = (
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko",
    "nl", "no", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh",
)  # fmt: skip
"""Languages that can be identified, by ISO 639-1 code."""

READ_CHARACTERS = 1500
"""Characters examined per text; the rest is hardly ever in another language."""

LEAST_CONFIDENCE = 0.5
"""Below this a text counts as English: of 400 English headings 0.2 % are then taken for another language."""

_ONLY_ENGLISH = {
    "the", "which", "what", "does", "did", "with", "and", "from", "how", "who", "where", "when", "that", "were", "have",
    "this", "you", "your",
}  # fmt: skip
_ASKS = frozenset(("who", "whose", "what", "when", "where", "which", "why", "how"))
_FOREIGN_LETTERS = 8  # at most every eighth letter of plain English is not an English letter
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_ENGLISH_SHARE = 0.25  # of function words: most English prose has more, no page of another language as many
_LATIN_A_SYLLABLE = 6  # Latin letters that count as one Chinese, Japanese or Korean character
_loading = threading.Lock()
_identifiers: dict[frozenset[str], LanguageIdentifier] = {}


def language_of(text: str, among: Collection[str] | None = None) -> str:
    """Return the ISO 639-1 code of a text's language; English if uncertain.

    Args:
        text: a question, a sentence or a page; markup and code reduce accuracy.
        among: candidate languages in addition to English; None allows all of ``LANGUAGES``.
    """
    return _language_of(text[:READ_CHARACTERS], frozenset(among) if among is not None else None)


@lru_cache(maxsize=4096)
def _language_of(text: str, among: frozenset[str] | None) -> str:
    if (among is not None and not among - {ENGLISH}) or is_plainly_english(text) or not _LETTER.search(text):
        return ENGLISH
    allowed = frozenset(LANGUAGES) if among is None else among | {ENGLISH}
    language, confidence = _identifier(allowed).classify(text)
    if confidence >= LEAST_CONFIDENCE:
        return language
    by_script = commonest_of_script(text)
    return by_script if by_script in allowed else ENGLISH


def language_of_page(text: str) -> str:
    """Return the ISO 639-1 code of a document's language, by its first words; English if uncertain.

    English pages may contain many foreign names. Another language therefore needs more function words than English, or
    half as many letters of its script as Latin ones.
    """
    text = text[:READ_CHARACTERS]
    words = WORD.findall(text.casefold())
    english = sum(word in FUNCTION_WORDS for word in words)
    language = ENGLISH if english >= _ENGLISH_SHARE * len(words) else _language_of(text, None)
    if language == ENGLISH:
        return ENGLISH
    script = SCRIPT_OF.get(language, "latin")
    if script != "latin":
        latin = len(_LATIN.findall(text))
        others = len(_LETTER.findall(text)) - latin
        return language if others * (_LATIN_A_SYLLABLE if script in ("han", "hangul") else 2) >= latin else ENGLISH
    own = stop_words(language)
    return language if not own or sum(word in own for word in words) > english else ENGLISH


def commonest_of_script(text: str) -> str:
    """Return the commonest language of the text's main script; any kana mean Japanese."""
    if KANA_LETTER.search(text):
        return "ja"
    scripts: Counter[Script] = Counter(script_of(letter) for letter in _LETTER.findall(text))
    return next((COMMONEST.get(script, ENGLISH) for script, _ in scripts.most_common(1)), ENGLISH)


def is_plainly_english(text: str) -> bool:
    """Whether a text starts with an English question word or has two purely English function words.

    It may contain foreign names ("Reichsbrücke").
    """
    letters = _LETTER.findall(text)
    if _FOREIGN_LETTERS * sum(not letter.isascii() for letter in letters) > len(letters):
        return False
    words = WORD.findall(text.lower())
    if words[:1] and words[0] in _ASKS and text.rstrip().endswith("?"):
        return True
    english_words = [word for word in words if word in _ONLY_ENGLISH]
    return len(set(english_words)) >= 2 and 6 * len(english_words) >= len(words)


@cache
def _whole_model() -> LanguageIdentifier:
    """Load the identifier of all languages, which takes half a second; restricted ones share its arrays."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _identifier(languages: frozenset[str]) -> LanguageIdentifier:
    with _loading:
        if languages not in _identifiers:
            made = copy(_whole_model())
            made.set_languages(sorted(languages))
            _identifiers[languages] = made
        return _identifiers[languages]
