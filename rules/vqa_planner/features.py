"""Features of a question for the router: hashed words, word pairs and surface properties."""

from __future__ import annotations

import re
import unicodedata
import zlib

from backtrail.language.options import offered
from backtrail.language.terms import FUNCTION_WORDS

BUCKETS = 1 << 14
_LIST = re.compile(r"\n[^\S\n]*(?:choices|options)\s*:", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+")
_ENGLISH = 0.2  # other languages share one or two words with English (ours)
_LONG = 48  # words: a longer question contains its own context (ours)
_LETTERS = 4  # words also count by their first letters: "coloured" is near "color" (ours)


def stem_of(question: str) -> str:
    """Return the question without options: the format of the answer does not matter."""
    return offered(_LIST.split(question, maxsplit=1)[0]).stem


def features(question: str) -> list[str]:
    """Return the distinct features of a question.

    Words and pairs without punctuation and case, independent of tokenisation; whether it
    has a number; how many words look like names; and whether it is long.
    """
    text = unicodedata.normalize("NFKC", stem_of(question))
    written = _TOKEN.findall(text)
    words = [word.casefold() for word in written]
    found = [*words, *(f"{first} {second}" for first, second in zip(["^", *words], [*words, "$"], strict=False))]
    found += [f"{word[:_LETTERS]}-" for word in words if len(word) > _LETTERS]
    named = sum(word[:1].isupper() for word in written[1:])
    found.append(f"#named{min(named, 3)}")
    if len(words) >= _LONG:
        found.append("#long")
    if any(word.isdigit() for word in words):
        found.append("#number")
    return list(dict.fromkeys(found))


def buckets(question: str) -> list[int]:
    """Return the distinct buckets of its features, in [0, BUCKETS)."""
    return list(dict.fromkeys(zlib.crc32(one.encode()) % BUCKETS for one in features(question)))


def is_english(question: str) -> bool:
    """Whether enough words are English function words for the router."""
    words = _TOKEN.findall(stem_of(question).casefold())
    return sum(word in FUNCTION_WORDS for word in words) > _ENGLISH * len(words)
