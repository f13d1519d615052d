"""Standing: where a candidate stands in its sentence or row, and how telling its own words are.

Pages of documentation, forms and spreadsheets say things unlike a wiki: values stand in the later columns, and what is
asked is often code or a number whatever the question calls it. Of a passage that is near to the question as a whole,
the sentence that answers need not be; but the rarest word of the question should be said around it. What holds of such
documents only counts where no row of a table led to a page: signals named ``loose_…``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.support import Piece
from backtrail.state.answer_decisions import EvidenceText

# Kinds of answer that a code or a version may be; nobody is called by a number.
_OPEN_KINDS = ("entity", "unknown", "material", "manner", "reason")
# Longer sentences and rows say many things, or are no sentences.
_LONG = 400
# So many characters before a span hold a verb that leads to it.
_BEFORE = 60
_SAID_TO_BE = re.compile(r"(?:\b(?:is|are|was|were|called|named|as)|[=:])\s*(?:the|an?|set to)?\s*[\"'`‘“]?$")
_LIKE_CODE = re.compile(r"[_/\\=<>{}$@]|--|\w\.\w|\w\(\)|^-\w|[a-z][A-Z]")


class Standing:
    """The candidates of one question's evidence."""

    def __init__(self, evidence: Sequence[EvidenceText], shape: QuestionShape, rarity: Mapping[str, float]) -> None:
        self._shape, self._rarity = shape, rarity
        self._loose = all(item.parent_row is None for item in evidence)
        known = sorted(shape.terms & rarity.keys(), key=lambda term: (-rarity[term], term))
        self._rarest = frozenset(known[:1])
        self._nearest = {item.id: max(0.0, *item.nearness) if item.nearness else 0.0 for item in evidence}

    def of(self, piece: Piece, text: str) -> dict[str, float]:
        """Signals of a candidate with this text in this piece, in [0, 1]."""
        placed = self._in_row(piece, text) if piece.row is not None else self._in_sentence(piece, text)
        found = {**placed, "rare": self._rare(text), "code": float(bool(_LIKE_CODE.search(text)))}
        if not self._loose:
            return {name: value for name, value in found.items() if not name.startswith("loose_")}
        open_kind = self._shape.kind in _OPEN_KINDS
        return {
            **found,
            "loose_digits": float(open_kind and any(map(str.isdigit, text))),
            "loose_rarest": float(self._rarest <= piece.chain),
        }

    def _in_row(self, piece: Piece, text: str) -> dict[str, float]:
        """``loose_column``: from 0, the first one, to 1, the last; ``loose_near``: how near the row is."""
        item, row = piece.evidence, piece.row or 0
        cells = [" ".join(cell.split()) for cell in item.rows[row]]
        place = cells.index(text) if text in cells else 0
        return {"loose_column": place / max(1, len(cells) - 1), "loose_near": _at(item.nearness, row)}

    def _in_sentence(self, piece: Piece, text: str) -> dict[str, float]:
        """``loose_near``: how near the nearest sentence of its passage is."""
        start = max(0, piece.text.find(text))
        before = piece.text[max(0, start - _BEFORE) : start]
        return {
            "length": min(1.0, len(piece.text) / _LONG),
            "said_is": float(bool(_SAID_TO_BE.search(before))),
            "loose_near": self._nearest[piece.evidence.id],
        }

    def _rare(self, text: str) -> float:
        """How rare the words are in the evidence that the question does not say, on average."""
        own = sorted(self._rarity.get(term, 1.0) for term in content_terms(text) - self._shape.terms)
        return sum(own) / len(own) if own else 0.0


def _at(near: Sequence[float], place: int) -> float:
    return max(0.0, near[place]) if place < len(near) else 0.0
