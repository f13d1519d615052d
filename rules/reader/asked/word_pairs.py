"""Word pairs: words that stand together in a question, found together again in a row, a page, a sentence.

"15 December 1981" is said by three pages that say 15, December and 1981 somewhere; only one says them side by side.
Pairs and runs of three content words count, each by the rarity of its words; function words between them do not.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import terms
from backtrail.rules.reader.support import Group, Piece, group_of

Pairs = frozenset[tuple[str, ...]]


class WordPairs:
    """The pairs of one question, in its evidence."""

    def __init__(self, listed: Sequence[Piece], shape: QuestionShape, rarity: Mapping[str, float]) -> None:
        self._rarity = rarity
        self._asked = pairs(shape.text)
        self._total = self._weight(self._asked) or 1.0
        self._by_id = {piece.evidence.id: piece.evidence for piece in listed}
        self._own: dict[tuple[str, int | None, int | None], float] = {}
        held: dict[Group, set[tuple[str, ...]]] = defaultdict(set)
        for piece in listed:
            own = self._said(piece)
            self._own[_key(piece)] = self._weight(own) / self._total
            held[group_of(piece, self._by_id)] |= own
        self._groups = {group: self._weight(said) / self._total for group, said in held.items()}
        tables: dict[str, list[float]] = defaultdict(list)
        for (item, row), share in self._groups.items():
            if row is not None:
                tables[item].append(share)
        self._best = {item: sorted(shares, reverse=True)[:2] for item, shares in tables.items()}
        self._best_of_all = sorted(self._groups.values(), reverse=True)[:2]

    def of(self, piece: Piece) -> dict[str, float]:
        """``pairs_…``: the share that the piece says, its row with its pages, and the lead of these; in [-1, 1]."""
        group = group_of(piece, self._by_id)
        share = self._groups.get(group, 0.0)
        return {
            "pairs_own": self._own.get(_key(piece), 0.0),
            "pairs_group": share,
            "pairs_lead": lead(share, self._best.get(group[0], ())) if group[1] is not None else 0.0,
            "pairs_first": lead(share, self._best_of_all),
        }

    def _said(self, piece: Piece) -> Pairs:
        if not self._asked:
            return frozenset()
        own = pairs(piece.text)
        return self._asked & (own if piece.row is not None else own | pairs(piece.evidence.title))

    def _weight(self, said: Pairs | set[tuple[str, ...]]) -> float:
        return math.fsum(self._rarity.get(term, 1.0) for pair in said for term in pair)


def pairs(text: str) -> Pairs:
    """Each two and three content terms of a text that follow each other."""
    found = list(terms(text))
    return frozenset([*pairwise(found), *zip(found, found[1:], found[2:], strict=False)])


def lead(share: float, best: Sequence[float]) -> float:
    """How much a share is more than the best other one, of which the two best of all are given."""
    if not best:
        return 0.0
    other = best[1:] if share == best[0] else best[:1]
    return share - (other[0] if other else 0.0)


def _key(piece: Piece) -> tuple[str, int | None, int | None]:
    return piece.evidence.id, piece.row, piece.sentence
