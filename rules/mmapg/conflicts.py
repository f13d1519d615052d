"""Find contradictions between texts: equal statements with different numbers.

Two sentences of different documents contradict each other if they share their words and differ in one
number each. Other contradictions need a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import names_in

MOST_CONFLICTS = 3
MOST_SENTENCES = 200
"""Most sentences with a number that are compared: a node finds a few paragraphs (ours)."""
LEAST_SHARED = 3
"""Content terms that two sentences must share, one of them in a name."""
SAME_WORDS = 0.8
"""Share of the terms of both, numbers apart, that must be the same."""
# Years, dates and quantities; "Voyager 2" and "Voyager 1" are names.
_NUMBER = re.compile(r"(?<![\w.,])\d{3,}(?:[.,]\d+)*|(?<![\w.,])\d+[.,]\d+")
QUOTE_CHARACTERS = 110


class _Sentence(NamedTuple):
    document: str
    title: str
    text: str
    terms: frozenset[str]
    numbers: frozenset[str]


def conflicts(texts: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return contradictions between texts given as (document, title, text), one line each."""
    said = [sentence for text in texts for sentence in _sentences(*text)][:MOST_SENTENCES]
    found: dict[str, None] = {}
    for one, other in combinations(said, 2):
        if one.document != other.document and _contradict(one, other):
            found[f"Sources disagree: {_quote(one)} but {_quote(other)}."] = None
            if len(found) == MOST_CONFLICTS:
                break
    return list(found)


def _sentences(document: str, title: str, text: str) -> list[_Sentence]:
    made: list[_Sentence] = []
    for sentence in split_sentences(text):
        numbers = frozenset(_NUMBER.findall(sentence))
        if len(numbers) == 1:
            words = content_terms(_NUMBER.sub(" ", sentence))
            made.append(_Sentence(document, title, sentence.strip(), words, numbers))
    return made


def _contradict(one: _Sentence, other: _Sentence) -> bool:
    shared, both = one.terms & other.terms, one.terms | other.terms
    if one.numbers == other.numbers or len(shared) < LEAST_SHARED or len(shared) < SAME_WORDS * len(both):
        return False
    named = {term for name, _ in names_in(one.text) for term in content_terms(name)}
    return bool(named & shared)


def _quote(sentence: _Sentence) -> str:
    text = sentence.text if len(sentence.text) <= QUOTE_CHARACTERS else sentence.text[: QUOTE_CHARACTERS - 1] + "…"
    return f"{sentence.title[:40]} says “{text}”"
