"""Beside: the verb right before a span, which tells what the thing that it names did.

"Directed by Ann Lee and produced by Bob Roe" names two people; only one of them directed. English only.
"""

from __future__ import annotations

import re
from itertools import chain

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.relation import Relation
from backtrail.rules.reader.asked.wording import root
from backtrail.rules.reader.labels import family
from backtrail.rules.reader.support import Piece

# So many characters before a span hold the words that stand right there.
_REACH = 48
# A participle of no regular form is told by its ending: built, shown, begun, taught, set.
_DONE = re.compile(
    r"\b(\w{2,}(?:ed|en|wn|un|ught|ilt|et)|led|won|sung)\s+(?:\w+ly\s+)?(?:by|for|from|in|at|on|to)\s+(?:(?:the|an?)\s+)?$",
    re.IGNORECASE,
)


class Beside:
    """What stands right before the spans of one question's evidence."""

    def __init__(self, shape: QuestionShape, relation: Relation) -> None:
        asked = chain.from_iterable(family(term) | {term} for term in relation.asked | shape.heads)
        self._asked = frozenset(root(term) for term in asked)

    def of(self, piece: Piece, text: str) -> dict[str, float]:
        """``done_asked``: 1 for a span of a sentence that what is asked stands right before, as a participle."""
        start = max(0, piece.text.find(text))
        done = _DONE.search(piece.text, max(0, start - _REACH), start)
        asked = done is not None and any(root(term) in self._asked for term in content_terms(done[1]))
        return {"done_asked": float(asked)}
