"""Groups: a row together with the pages that its links lead to, and what each says of the question.

The row that is meant is described by its cells and its pages together, and better than any other row of its table.
Where the row says nothing of what is asked, one of its pages should.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.asked_column import AskedColumn, is_thing_listed
from backtrail.rules.reader.asked.beside import Beside
from backtrail.rules.reader.asked.opening import Lifetime
from backtrail.rules.reader.asked.page_kinds import PageKinds
from backtrail.rules.reader.asked.relation import means, relation_of, said
from backtrail.rules.reader.asked.said_cells import SaidCells
from backtrail.rules.reader.asked.standing import Standing
from backtrail.rules.reader.asked.word_pairs import WordPairs, lead
from backtrail.rules.reader.asked.wording import Wording
from backtrail.rules.reader.support import Group, Piece, group_of
from backtrail.state.answer_decisions import EvidenceText

# Answers of more words are hardly longer ones.
MANY_WORDS = 6


@dataclass
class _Row:
    """What a row and its pages say. ``row``: the terms of the row itself with what stands over it."""

    row: frozenset[str] = frozenset()
    terms: set[str] = field(default_factory=set[str])
    verb: float = 0.0
    described: float = 0.0


class Groups:
    """The rows of one question's evidence with their pages; a page that no row led to is a group by itself."""

    def __init__(self, listed: Sequence[Piece], shape: QuestionShape, rarity: Mapping[str, float]) -> None:
        self._shape, self._rarity = shape, rarity
        self._relation = relation_of(shape)
        self._by_id = {piece.evidence.id: piece.evidence for piece in listed}
        self._groups: dict[Group, _Row] = defaultdict(_Row)
        for piece in listed:
            self._add(self._groups[group_of(piece, self._by_id)], piece)
        best: dict[str, list[float]] = defaultdict(list)
        for (item, row), group in self._groups.items():
            group.described = said(self._relation.told, frozenset(group.terms), rarity)
            if row is not None:
                best[item].append(group.described)
        self._best = {item: sorted(shares, reverse=True)[:2] for item, shares in best.items()}
        self._pairs = WordPairs(listed, shape, rarity)
        self._cells = SaidCells(list(self._by_id.values()), shape)
        self._columns = AskedColumn(shape, self._relation, rarity)
        self._lifetime = Lifetime(shape)
        self._beside = Beside(shape, self._relation)
        self._wording = Wording(shape, self._relation, rarity)
        self._standing = Standing(list(self._by_id.values()), shape, rarity)
        self._kinds = PageKinds(list(self._by_id.values()), shape, rarity)
        self._known: dict[tuple[str, int | None, int | None], dict[str, float]] = {}

    def _add(self, group: _Row, piece: Piece) -> None:
        group.terms.update(piece.titled)
        if piece.row is not None:
            group.row = piece.titled
        else:
            group.verb = max(group.verb, said(self._relation.verb, piece.own, self._rarity))

    def of(self, piece: Piece, text: str) -> dict[str, float]:
        """Signals of a candidate with this text in this piece, about [0, 1]; leads in [-1, 1]."""
        key = (piece.evidence.id, piece.row, piece.column if piece.row is not None else piece.sentence)
        if key not in self._known:
            self._known[key] = {**self._of_piece(piece), **self._pairs.of(piece), **self._cells.of(piece)}
        if piece.has_cells:
            of_place = self._of_cell(piece, text)
        else:
            of_place = {**self._wording.of_span(piece, text), **self._beside.of(piece, text)}
        of_words = {**self._of_words(text), **self._wording.of_text(text, piece.evidence.title), **self._kinds.of(text)}
        of_place |= self._standing.of(piece, text)
        return {**self._known[key], **of_place, **of_words, "lifetime": self._lifetime.of(piece, text)}

    def _of_piece(self, piece: Piece) -> dict[str, float]:
        """``group``: of the question, by its row and pages; ``unsaid``: of it, what the row leaves to the pages."""
        relation, rarity = self._relation, self._rarity
        place = group_of(piece, self._by_id)
        group = self._groups[place]
        unsaid = frozenset(term for term in self._shape.terms if not means((term,), group.row))
        known = {
            "group": said(self._shape.terms, frozenset(group.terms), rarity),
            "group_lead": lead(group.described, self._best.get(place[0], ())) if place[1] is not None else 0.0,
            "described": said(relation.told, piece.titled, rarity),
            "asked_row": said(relation.asked, group.row, rarity),
            "verb_pages": group.verb,
            "unsaid": _weight(unsaid, rarity) / _weight(self._shape.terms, rarity),
            "nearest_here": _nearest(piece.evidence, piece.row if piece.row is not None else piece.sentence or 0),
        }
        if piece.row is not None:
            return known
        verb = said(relation.verb, piece.own, rarity)
        return {
            **known,
            "asked_own": said(relation.asked, piece.own, rarity),
            "verb_own": verb,
            "verb_short": verb - group.verb,
            "adds": said(unsaid, piece.own, rarity) if group.row else 0.0,
        }

    def _of_cell(self, piece: Piece, text: str) -> dict[str, float]:
        """``column_…``: what its header names; ``more``: how much more of what is asked a page of the row says."""
        relation, item = self._relation, piece.evidence
        cells = [" ".join(cell.split()) for cell in item.rows[piece.row or 0]]
        place = cells.index(text) if text in cells else 0
        header = content_terms(item.header[place]) if place < len(item.header) else frozenset[str]()
        heads = self._shape.heads
        over = said(relation.verb, piece.titled, self._rarity)
        return {
            **self._columns.of(item.header, place),
            "column_head": float(bool(header & heads)),
            "column_kin": float(means(heads, header)),
            "column_verb": float(means(relation.verb, header)),
            "column_between": float(bool(header & relation.between)),
            "column_between_kin": float(means(relation.between, header)),
            "more": max(0.0, self._groups[group_of(piece, self._by_id)].verb - over),
            "thing_listed": float(is_thing_listed(item, place, text, self._shape)),
            "key": float(place == 0 and not header & heads),
        }

    def _of_words(self, text: str) -> dict[str, float]:
        typed = self._shape.kind in ("date", "year", "number")
        return {
            # A material is a word or two; questions for one are too few to learn that from.
            "words": min(1.0, len(text.split()) / MANY_WORDS) if self._shape.kind != "material" else 0.0,
            "lower": float(text[:1].islower()),
            "repeated": float(text.casefold() in self._shape.text.casefold()),
            "digits": float(not typed and any(map(str.isdigit, text))),
        }


def _weight(terms: frozenset[str], rarity: Mapping[str, float]) -> float:
    return sum(sorted(rarity.get(term, 1.0) for term in terms)) or 1.0


def _nearest(item: EvidenceText, place: int) -> float:
    """How much nearer to the question a row or sentence is than any other of its component."""
    near = item.nearness
    if place >= len(near):
        return 0.0
    return near[place] - max((value for other, value in enumerate(near) if other != place), default=0.0)
