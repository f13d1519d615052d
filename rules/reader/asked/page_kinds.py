"""Page kinds: what the pages of the evidence say that their things are, for candidates that are named like a page.

"Which festival …" asks for something whose page begins "Lantern Nights is an annual music festival". English only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.relation import asked_phrase
from backtrail.rules.reader.support import covered
from backtrail.state.answer_decisions import EvidenceText

_IS_A = re.compile(r"\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+([^.;,()]{3,90})", re.IGNORECASE)
# What a thing is stands in the first sentences of its page.
_SENTENCES, _CHARACTERS = 2, 400


class PageKinds:
    """The pages of one question's evidence by their names."""

    def __init__(self, evidence: Sequence[EvidenceText], shape: QuestionShape, rarity: Mapping[str, float]) -> None:
        phrase = asked_phrase(shape)
        self._asked: dict[str, float] = {}
        for item in evidence:
            opening = " ".join(item.sentences[:_SENTENCES])[:_CHARACTERS]
            if said := None if item.rows else _IS_A.search(opening):
                self._asked.setdefault(_name(item.title), covered(phrase, content_terms(said[1]), rarity))

    def of(self, text: str) -> dict[str, float]:
        """``page_is``: how much of the noun phrase that is asked for the page of that name says to be, in [0, 1]."""
        return {"page_is": self._asked.get(_name(text), 0.0)}


def _name(title: str) -> str:
    """A title without what tells things of one name apart: "Orion (ship)"."""
    return title.partition(" (")[0].casefold()
