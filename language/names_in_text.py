"""Proper names in a sentence, told by their capitals."""

from __future__ import annotations

import re
from functools import lru_cache

from backtrail.language.active import active_language
from backtrail.language.spans import CAPITAL_NOUNS
from backtrail.language.stop_words import FUNCTION_WORDS, stop_words
from backtrail.language.vocabulary import AUXILIARIES, MONTHS, PREPOSITIONS

_TOKEN = re.compile(r"[^\W_][\w.'’&/-]*|[^\w\s]")
_INSIDE = frozenset(
    {
        "of", "de", "the", "da", "di", "del", "della", "du", "la", "le", "les", "al", "bin", "van", "von", "der",
        "den", "des", "y", "e", "&",
    }
)  # fmt: skip
_NEVER_FIRST = (
    FUNCTION_WORDS | PREPOSITIONS | AUXILIARIES | frozenset(["however", "although", "later", "both", "many", "most"])
)
_LONGEST = 8


def names_in(sentence: str) -> list[str]:
    """Runs of capitalised words ("University of Oslo", "1994 Winter Olympics"), each once, in order.

    A single capitalised word that opens the sentence is no name: any word is written so there. In German none is.
    """
    tokens = _TOKEN.findall(sentence)
    nouns = active_language() in CAPITAL_NOUNS
    names: dict[str, None] = {}
    place = 0
    while place < len(tokens):
        end = _run(tokens, place)
        if end > place:
            name = " ".join(tokens[place:end]).rstrip(".,'’-/")
            single = end - place == 1
            if len(name) > 2 and not (single and (nouns or place == 0 or name.casefold() in MONTHS)):
                names[name] = None
        place = max(end, place + 1)
    return list(names)


@lru_cache
def _never_first(language: str) -> frozenset[str]:
    return _NEVER_FIRST | stop_words(language)


def _run(tokens: list[str], start: int) -> int:
    """Where the name that starts here ends; ``start`` where none does."""
    if tokens[start].casefold() in MONTHS and start + 1 < len(tokens) and tokens[start + 1].isdigit():
        return start  # a date
    opens = start
    if tokens[start].isdigit() and len(tokens[start]) == 4 and start + 1 < len(tokens):
        opens = start + 1
    if not _capital(tokens[opens]) or tokens[opens].casefold() in _never_first(active_language()):
        return start
    end = opens + 1
    while end < len(tokens) and end - start < _LONGEST:
        step = 1
        while end + step < len(tokens) and tokens[end + step - 1] in _INSIDE and step < 3:
            step += 1
        last = tokens[end + step - 1]
        if not (_capital(last) or (step == 1 and last.rstrip(".").isdigit())) or last.casefold() in MONTHS:
            break
        end += step
    return end


def _capital(token: str) -> bool:
    return token[:1].isupper()
