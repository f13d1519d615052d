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


class Said(Protocol):
    """A candidate: the piece it stands in, and how much of it the question says (``echo`` of its signals)."""

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
    return [one for one in left if all(_speaks_of(one, event) for event in asked)] or left


def _speaks_of(one: Said, event: frozenset[str]) -> bool:
    """Whether the sentence, or the row with what stands over it, says that word or gives the years of a life."""
    return bool(event & one.piece.titled) or (event in _OF_LIVES and bool(_LIFE.search(one.piece.text)))
