"""A question as the router sees it: the buckets of its words, of pairs of them, and of its surface."""

from __future__ import annotations

import re
import unicodedata
import zlib

from backtrail.language.options import offered
from backtrail.language.terms import FUNCTION_WORDS

BUCKETS = 1 << 14
_LIST = re.compile(r"\n[^\S\n]*(?:choices|options)\s*:", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+")
_ENGLISH = 0.2  # other languages share a word or two with English, seldom more (ours)
_LONG = 48  # words: such a question brings what it is answered from (ours)
_LETTERS = 4  # words are also known by their first letters: "coloured" is near "color" (ours)


def stem_of(question: str) -> str:
    """The question without options to choose from: what is asked decides, not how the answer is to be given."""
    return offered(_LIST.split(question, maxsplit=1)[0]).stem


def features(question: str) -> list[str]:
    """Distinct features of a question.

    Words and pairs without punctuation and case, so that it does not matter how a text was tokenised; whether it
    has a number; how many words are written like names; and whether it is long.
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
    """Distinct buckets of its features, in [0, BUCKETS)."""
    return list(dict.fromkeys(zlib.crc32(one.encode()) % BUCKETS for one in features(question)))


def is_english(question: str) -> bool:
    """Whether enough of its words are English function words for the router to know what it reads."""
    words = _TOKEN.findall(stem_of(question).casefold())
    return sum(word in FUNCTION_WORDS for word in words) > _ENGLISH * len(words)
