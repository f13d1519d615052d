"""Scripts as far as search needs them: which have no spaces, and normalisation of spellings.

Source: ours; ranges are the blocks of Unicode.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Script = Literal[
    "latin", "cyrillic", "greek", "arabic", "hebrew", "armenian", "devanagari", "tamil", "hangul", "han", "other"
]

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〇"
KANA = "\u3041-\u309f\u30a0-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_TAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
# A run of a script that is split into n-grams. Korean has spaces, but particles attach to its words.
UNSPACED = re.compile(f"[{HAN}{KANA}]+|[{HANGUL}]+|[{_TAI}]+")
KANA_LETTER = re.compile(f"[{KANA}]")
HAN_RUN = re.compile(f"[{HAN}]")
HIRAGANA_ONLY = re.compile("[\u3041-\u309fー]+")
_LETTERS = re.compile(f"[{_TAI}]")  # letters, not syllables or words, so n-grams are longer

# Signs that belong to the letter before them but are no letters to ``\\w``: of India and South-East Asia, and such
# Latin, Hebrew and Arabic ones as are left when the rest is composed or dropped.
_SIGNS = (
    "\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u102b-\u109f\u17b4-\u17d3"
)
WORD = re.compile(rf"\w[\w{_SIGNS}]*")

_PARTS = re.compile(rf"[\w{_SIGNS}]+|[^\w{_SIGNS}]+")
_PRESENTATION = re.compile("[\ufb00-\ufdff\ufe70-\ufefc\uff00-\uffef]+")  # ligatures, full and half width
_SILENT = re.compile("[\u00ad\u0640\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7]+")
"""Soft hyphens, the Arabic lengthening stroke, and vowel signs of Arabic and Hebrew, which few texts write."""
_ARABIC = str.maketrans("أإآٱیک", "اااايك")
_DIGITS = {
    ord(digit): str(unicodedata.digit(digit))
    for start in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50)
    for digit in map(chr, range(start, start + 10))
}
_PLAIN_LATIN = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"})
_BLOCKS: tuple[tuple[int, int, Script], ...] = (
    (0x0041, 0x024F, "latin"), (0x0370, 0x03FF, "greek"), (0x0400, 0x052F, "cyrillic"), (0x0530, 0x058F, "armenian"),
    (0x0590, 0x05FF, "hebrew"), (0x0600, 0x06FF, "arabic"), (0x0900, 0x097F, "devanagari"), (0x0B80, 0x0BFF, "tamil"),
    (0x1E00, 0x1EFF, "latin"), (0x1F00, 0x1FFF, "greek"), (0x3041, 0x30FF, "han"), (0x3400, 0x9FFF, "han"),
    (0xAC00, 0xD7A3, "hangul"),
)  # fmt: skip

COMMONEST: dict[Script, str] = {
    "latin": "en", "arabic": "ar", "greek": "el", "hebrew": "he", "devanagari": "hi", "armenian": "hy",
    "cyrillic": "ru", "tamil": "ta", "hangul": "ko", "han": "zh",
}  # fmt: skip
"""The language with most texts of a script, by ISO 639-1 code: for words that stand alone in another script's text."""


def normalised(text: str, language: str) -> str:
    """Normalise spellings of the same text in Unicode, in lower case; letters keep their accents.

    Composes letters, converts half and full width forms, converts digits to 0 to 9, and removes soft hyphens and
    optional vowel signs. Turkish has its own lower case. Linear time.
    """
    if language == "tr":
        text = text.replace("İ", "i").replace("I", "ı")
    if text.isascii():
        return text.casefold()
    text = unicodedata.normalize("NFC", text)
    text = _PRESENTATION.sub(lambda run: unicodedata.normalize("NFKC", run.group()), text)
    text = _SILENT.sub("", text).translate(_DIGITS)
    if language not in ("fa", "ur"):
        text = text.translate(_ARABIC)
    return text.casefold().replace("i\u0307", "i").replace("ё", "е")


def script_of(word: str) -> Script:
    """Return the script of a word's first letter."""
    letter = next((character for character in word if character.isalpha()), "a")
    for first, last, script in _BLOCKS:
        if first <= ord(letter) <= last:
            return script
    return "other"


def folded(word: str) -> str:
    """Remove accents from a lower-case Latin or Greek word; other words are unchanged."""
    if word.isascii() or script_of(word) not in ("latin", "greek"):
        return word
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return plain.translate(_PLAIN_LATIN)


def plain_letters(text: str) -> str:
    """Replace Latin letters by plain ones without accents and in one width, for languages without accents."""
    return "".join(folded(part) for part in _PARTS.findall(normalised(text, "en")))


def ngrams(run: str) -> list[str]:
    """Split a run without spaces into overlapping pairs (triples of letters); a short run stays whole.

    A Chinese character also counts alone, since it is a word as well.
    """
    size = 3 if _LETTERS.match(run) else 2
    grams = [run[start : start + size] for start in range(max(1, len(run) - size + 1))]
    alone = [character for character in run if HAN_RUN.match(character)] if len(run) > 1 else []
    return grams + alone
