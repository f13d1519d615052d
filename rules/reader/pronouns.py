"""Pronouns: what "it" stands for where a sentence does something to it, and only one thing can be meant.

"Pump 7 failed in 2019. The Heron 22 replaced it.": the second sentence is about Pump 7 too. English only, by marks of
the surface: where a second thing could be meant, nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.active import reads_english
from backtrail.language.stop_words import FUNCTION_WORDS
from backtrail.language.vocabulary import MONTHS

# A name, one verb, the pronoun, and nothing that makes it another's ("her mother").
_DONE_TO = re.compile(
    r"^\W*(?:(?:[Tt]he|[Aa]n?)\s+)?(?:[A-Z0-9][\w.’'-]*\s+)+(?:(?:has|had|then|later|soon|also)\s+){0,2}[a-z]+\s+"
    r"(?:it|him|her|them)(?=\s*(?:[.,;!?]|$)|\s+(?:in|on|at|from|for|after|before|until|as|with|by|when|because)\b)"
)
_NAME = re.compile(r"[A-Z][\w’'-]*(?:\s+(?:of|de|[A-Z0-9][\w’'-]*))*")
# What a thing is said to be is no second thing.
_IS = re.compile(r"\b(?:is|was|are|were|became)\s+(?:an?|the|its|their)\s+[^,;]*")
_THING = re.compile(
    r"\b(?:an?|the|this|that|these|those|its|his|her|their|our|some|two|three|both)\s+[a-z]", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|he|she|they|him|them)\b", re.IGNORECASE)


def antecedent(sentences: Sequence[str], place: int | None) -> str:
    """The sentence before, if it tells of the one thing that a pronoun of the sentence can stand for; "" otherwise."""
    if not place or not reads_english() or not _DONE_TO.match(sentences[place]):
        return ""
    before = sentences[place - 1]
    told = _IS.sub(" ", before)
    if _PRONOUN.search(before) or _THING.search(told) or len(_names(told)) != 1:
        return ""
    return before


def _names(text: str) -> list[str]:
    found = (match.group() for match in _NAME.finditer(text))
    return [name for name in found if name.casefold() not in FUNCTION_WORDS and not _is_date(name)]


def _is_date(name: str) -> bool:
    return all(word.casefold() in MONTHS or word.isdigit() for word in name.split())
