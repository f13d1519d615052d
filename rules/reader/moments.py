"""Moments: which dates and years cannot be when something happened, told by the question and the words around them.

The year that a question says is seldom the one it asks for ("In what year did the awardee of 2006 die?"), and when
somebody was born stands where a birth is spoken of. English only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.support import Piece

# Words that speak of one event, as terms.
_EVENTS = tuple(
    content_terms(words)
    for words in (
        "born birth births birthdate birthday birthplace",
        "die died dies dead death deaths deceased killed assassinated",
        "renamed",
    )
)
_OF_LIVES = _EVENTS[:2]
# "Ada Lovelace (10 December 1815 – 27 November 1852)" says both without a word for either.
_LIFE = re.compile(r"\([^()]*\b\d{4}\s*[–—-][^()]*\b\d{4}\s*\)")


# What a question says that may be told by when somebody was born or died.
_ASKS_LIFE = content_terms(
    "born birth birthdate birthday birthplace die died dies dead death deceased killed assassinated age aged old older"
    " oldest elder eldest young younger youngest live lived lives living life lifespan"
)
# "born on 12 October", and no more: what comes after it may be anything.
_BORN = re.compile(r"\bborn\b(?:(?!\band\b)[^().;]){0,24}$", re.IGNORECASE)
_NEAR = 40
# The brackets with the dates of a life, with names in other languages before them.
_LIFE_CHARACTERS = 200


class Said(Protocol):
    """A candidate: its text, the piece it stands in, and how much of it the question says (``echo`` of its signals)."""

    @property
    def text(self) -> str:
        """As it is written there."""
        ...

    @property
    def piece(self) -> Piece:
        """The sentence or row."""
        ...

    @property
    def signals(self) -> Mapping[str, float]:
        """Each in [0, 1]."""
        ...


_One = TypeVar("_One", bound=Said)


def without_impossible(found: Sequence[_One], shape: QuestionShape) -> list[_One]:
    """Candidates for a date or a year without those that cannot be it, wherever any are left; others as they are."""
    if shape.kind not in ("date", "year"):
        return list(found)
    left = [one for one in found if one.signals["echo"] < 1.0] or list(found)
    asked = [event for event in _EVENTS if event & shape.focus]
    if not _ASKS_LIFE & shape.terms:
        left = [one for one in left if not _of_a_life(one)] or left
    return [one for one in left if all(_speaks_of(one, event) for event in asked)] or left


def _of_a_life(one: Said) -> bool:
    """Whether a sentence gives it as when somebody was born or died: "(born 12 October 1937)", "(1934 – 2012)"."""
    if one.piece.row is not None:
        return False
    sentence = one.piece.text
    start = sentence.find(one.text)
    first = max(0, start - _LIFE_CHARACTERS)
    lives = _LIFE.finditer(sentence[first : start + _LIFE_CHARACTERS])
    if any(life.start() < start - first < life.end() for life in lives):
        return True
    return start > 0 and bool(_BORN.search(sentence[max(0, start - _NEAR) : start]))


def _speaks_of(one: Said, event: frozenset[str]) -> bool:
    """Whether the sentence, or the row with what stands over it, says that word or gives the years of a life."""
    return bool(event & one.piece.titled) or (event in _OF_LIVES and bool(_LIFE.search(one.piece.text)))
