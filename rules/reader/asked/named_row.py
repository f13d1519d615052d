"""Named rows: whether a question names a row, by what stands first in it or by any of its cells.

"What is the oldest Safari that it works in?" means the row that begins with "Safari", not the one that says most words
of the question; "a thousand clients" is the row with 1k in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.numbers_said import as_written, numbers_said
from backtrail.rules.reader.asked.said_cells import SaidCells
from backtrail.rules.reader.labels import family
from backtrail.rules.reader.support import Piece
from backtrail.state.answer_decisions import EvidenceText


class NamedRows:
    """The rows of one question's evidence."""

    def __init__(self, listed: Sequence[EvidenceText], shape: QuestionShape, rarity: Mapping[str, float]) -> None:
        numbers = as_written(numbers_said(shape.text))
        self._cells = SaidCells(listed, replace(shape, text=" | ".join([shape.text, *numbers])))
        self._rarity = rarity
        self._said = frozenset(
            chain(shape.terms, *(family(term) for term in shape.terms), *map(content_terms, numbers))
        )

    def of(self, piece: Piece) -> dict[str, float]:
        """``key``: how much of its first cell the question says, by the rarity of its words. ``cells``: how much is
        said of its cells from their first word to their last, or of those of the row that led to its page."""
        return {"key": self._key(piece), "cells": self._cells.of(piece).get("cells_whole", 0.0) / 2}

    def _key(self, piece: Piece) -> float:
        if piece.row is None:
            return 0.0
        name = content_terms(next((cell for cell in piece.evidence.rows[piece.row] if cell.strip()), ""))
        weights = {term: self._rarity.get(term, 1.0) for term in name}
        total = math.fsum(weights.values())
        return math.fsum(weight for term, weight in weights.items() if term in self._said) / total if total else 0.0
