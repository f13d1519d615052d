"""Said cells: which cells of a row the question says from their first word to their last, and which under their header.

"The driver who finished in position 4" means the row with 4 under "Pos", not the one with 14, and not the one whose
time holds a 4. A cell that many rows share tells little of which row is meant.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms, words
from backtrail.language.vocabulary import ORDINALS
from backtrail.rules.reader.asked.word_pairs import lead
from backtrail.rules.reader.labels import family
from backtrail.rules.reader.support import Piece, group_of
from backtrail.state.answer_decisions import EvidenceText

_PLACE = re.compile(r"(\d+)(?:st|nd|rd|th)?")
_WORDY = re.compile(r"\w")
# More cells than these say no more.
_MOST = 2.0


@dataclass(frozen=True)
class _Said:
    """Of a row the rarity of its cells that are said: as they are written, and those of them whose header is, too."""

    whole: float = 0.0
    headed: float = 0.0


class SaidCells:
    """The cells of the tables of one question's evidence."""

    def __init__(self, evidence: Sequence[EvidenceText], shape: QuestionShape) -> None:
        self._by_id = {item.id: item for item in evidence}
        self._terms = shape.terms
        asked = words(shape.text.casefold())
        self._asked = f" {' '.join(asked)} "
        self._places = {str(place) for place, word in enumerate(ORDINALS, start=1) if word in asked}
        self._places |= {match[1] for word in asked if (match := _PLACE.fullmatch(word)) and match[0] != match[1]}
        self._rows = {item.id: self._table(item) for item in evidence if item.rows}
        self._whole = {item: nlargest(2, (said.whole for said in rows)) for item, rows in self._rows.items()}
        self._headed = {item: nlargest(2, (said.headed for said in rows)) for item, rows in self._rows.items()}

    def of(self, piece: Piece) -> dict[str, float]:
        """``cells_…`` of the row that the piece is or that led to its page, at most 2, and leads in its table."""
        item, row = group_of(piece, self._by_id)
        rows = self._rows.get(item)
        if row is None or rows is None:
            return {}
        own = rows[row]
        return {
            "cells_whole": min(_MOST, own.whole),
            "cells_headed": min(_MOST, own.headed),
            "cells_whole_lead": _bounded(lead(own.whole, self._whole[item])),
            "cells_headed_lead": _bounded(lead(own.headed, self._headed[item])),
        }

    def _table(self, item: EvidenceText) -> list[_Said]:
        rows = [[" ".join(cell.split()).casefold() for cell in row] for row in item.rows]
        often = Counter((column, cell) for row in rows for column, cell in enumerate(row))
        most = math.log(1.0 + len(rows))
        headed = [bool(self._header_is_said(title)) for title in item.header]
        rarity = {key: math.log((1.0 + len(rows)) / count) / most for key, count in often.items()}
        return [self._row(row, headed, rarity) for row in rows]

    def _header_is_said(self, title: str) -> bool:
        return any(family(term) & self._terms for term in content_terms(title))

    def _row(self, row: Sequence[str], headers: Sequence[bool], rarity: dict[tuple[int, str], float]) -> _Said:
        whole = headed = 0.0
        for column, cell in enumerate(row):
            under = column < len(headers) and headers[column]
            place = _PLACE.fullmatch(cell)
            said = bool(_WORDY.search(cell)) and self._says(cell)
            if said or (under and place and place[1] in self._places):
                whole += rarity[column, cell]
                headed += rarity[column, cell] * under
        return _Said(whole, headed)

    def _says(self, cell: str) -> bool:
        found = words(cell)
        return bool(found) and f" {' '.join(found)} " in self._asked


def _bounded(lead: float) -> float:
    return max(-_MOST, min(_MOST, lead))
