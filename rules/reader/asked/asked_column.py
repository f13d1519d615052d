"""Asked column: how much of what is asked for a header says, against the other headers of its table.

"What MLB team …" asks for "MLB Team" and not for "NLB Team (s)", though both are headed by "team".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.relation import Relation, asked_phrase, said
from backtrail.rules.reader.support import covered
from backtrail.state.answer_decisions import EvidenceText

_ASKS_THING = re.compile(r"\bname of\b|^\W*(?:who|which|what\s+(?:is|was)\s+the)\b", re.IGNORECASE)
_NO_THING = re.compile(r"[\d.,# –-]+|\d{4}.*")
_NAMES = ("name", "title")


class AskedColumn:
    """The headers of the tables of one question's evidence."""

    def __init__(self, shape: QuestionShape, relation: Relation, rarity: Mapping[str, float]) -> None:
        self._shape, self._relation, self._rarity = shape, relation, rarity
        self._phrase = asked_phrase(shape)
        self._known: dict[tuple[str, ...], list[dict[str, float]]] = {}

    def of(self, header: Sequence[str], place: int) -> dict[str, float]:
        """``phrase_…``: of the phrase that is asked for; ``title_…``: of the header itself. Leads in [-1, 1]."""
        key = tuple(header)
        if key not in self._known:
            self._known[key] = self._measured(header)
        return self._known[key][place] if place < len(header) else {}

    def _measured(self, header: Sequence[str]) -> list[dict[str, float]]:
        titles = [content_terms(title) for title in header]
        shares = [covered(self._phrase, title, self._rarity) for title in titles]
        return [
            {
                "phrase_named": share,
                "phrase_lead": share - max((one for other, one in enumerate(shares) if other != place), default=0.0),
                "title_asked": len(title & self._phrase) / max(1, len(title)),
                "title_said": len(title & self._shape.terms) / max(1, len(title)),
                "title_verb": said(self._relation.verb, title, self._rarity),
            }
            for place, (title, share) in enumerate(zip(titles, shares, strict=True))
        ]


def is_thing_listed(item: EvidenceText, place: int, text: str, shape: QuestionShape) -> bool:
    """Whether a cell names one of the things that its table lists, and such a thing is asked for.

    "What is the name of the Professor of Astronomy who …" asks for one of the table "Professor of Astronomy".
    """
    title = item.header[place].strip().casefold() if place < len(item.header) else ""
    names = (place == 0 or title in _NAMES) and not _NO_THING.fullmatch(text)
    asks = bool(shape.heads) and bool(_ASKS_THING.search(shape.text))
    return names and asks and shape.heads <= content_terms(f"{item.title} {item.section}")
