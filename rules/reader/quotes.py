"""Quotes: the pieces of the evidence that most likely hold the answer, for where no span of them is sure enough.

A piece is a row with its header, or a sentence with as many of its neighbours as fit on a few lines. Its score is
linear in a few signals, with weights that were learnt like those of candidates (``quotes`` in ``ranking.json``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backtrail.language.questions import QuestionShape
from backtrail.language.spans import fit, spans
from backtrail.language.terms import content_terms
from backtrail.rules.reader.ranking import Ranked, nearness, weights
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText

MOST_QUOTES = 3
# Three to four lines: a sentence of ordinary length with its neighbours.
QUOTE_CHARACTERS = 360
# Spans are looked for in so many characters of a piece: the rest of a longer one is not shown either.
SPAN_CHARACTERS = 2 * QUOTE_CHARACTERS
# Candidates this much worse than the best say nothing any more.
_FAR = 8.0
# A span of which the kind of answer asked for is likelier than not.
_LIKELY = 0.4


@dataclass(frozen=True)
class Passage:
    """A row, or the sentences ``first`` to ``last`` of a text, which are quoted for the one that is meant."""

    piece: Piece
    text: str
    first: int
    last: int

    def overlaps(self, other: Passage) -> bool:
        """Whether both quote the same row or a sentence in common."""
        if self.piece.evidence.id != other.piece.evidence.id or self.piece.row != other.piece.row:
            return False
        return self.piece.row is not None or (self.first <= other.last and other.first <= self.last)


def passage(item: EvidenceText, sentence: int) -> tuple[int, int]:
    """First and last sentence of what is quoted for a sentence: those after it, then those before it, as they fit."""
    first = last = sentence
    length = len(item.sentences[sentence]) if sentence < len(item.sentences) else 0
    while True:
        if last + 1 < len(item.sentences) and length + len(item.sentences[last + 1]) < QUOTE_CHARACTERS:
            last += 1
            length += len(item.sentences[last]) + 1
        elif 0 < first <= len(item.sentences) and length + len(item.sentences[first - 1]) < QUOTE_CHARACTERS:
            first -= 1
            length += len(item.sentences[first]) + 1
        else:
            return first, last


def quotes(
    inputs: AnswerInputs, shape: QuestionShape, listed: Sequence[Ranked], read: CitedPiece | None = None
) -> list[CitedPiece]:
    """The pieces that most likely hold the answer, the likeliest first; no two of them quote the same.

    Args:
        inputs: question and evidence.
        shape: of the question.
        listed: ranked candidates, if there are any: where good ones stand, the answer is likelier.
        read: the piece that an answer was read in, however sure: it is quoted first.
    """
    taken = likeliest(weights("quotes"), passages(inputs, shape, listed), read)
    return [
        CitedPiece(component=one.piece.evidence.id, row=one.piece.row, sentence=one.piece.sentence) for one in taken
    ]


def likeliest(
    weighed: Mapping[str, float],
    found: Sequence[tuple[Passage, Mapping[str, float]]],
    read: CitedPiece | None = None,
) -> list[Passage]:
    """The piece that was read, then the best passages by these weights, no two overlapping; of equals the earlier."""
    scored = sorted(
        (
            (-math.inf if _is(one.piece, read) else -_weighed(signals, weighed), place, one)
            for place, (one, signals) in enumerate(found)
        ),
        key=lambda entry: entry[:2],
    )
    taken: list[Passage] = []
    for _, _, one in scored:
        if len(taken) == MOST_QUOTES:
            break
        if not any(one.overlaps(other) for other in taken):
            taken.append(one)
    return taken


def _is(piece: Piece, read: CitedPiece | None) -> bool:
    return read is not None and (piece.evidence.id, piece.row, piece.sentence) == (
        read.component, read.row, read.sentence,
    )  # fmt: skip


def _weighed(signals: Mapping[str, float], weights_of: Mapping[str, float]) -> float:
    return sum(weights_of.get(name, 0.0) * value for name, value in signals.items())


def passages(
    inputs: AnswerInputs, shape: QuestionShape, listed: Sequence[Ranked]
) -> list[tuple[Passage, Mapping[str, float]]]:
    """Every passage that could be quoted with its signals, in [0, 1]."""
    return with_candidates(passages_alone(inputs, shape), listed)


def with_candidates(
    found: Sequence[tuple[Passage, Mapping[str, float]]], listed: Sequence[Ranked]
) -> list[tuple[Passage, Mapping[str, float]]]:
    """Passages with what the best candidate in each of them says for it beside their own signals."""
    best = _best_candidates(listed)
    held: list[tuple[Passage, Mapping[str, float]]] = []
    for one, signals in found:
        piece = one.piece
        score, share = best.get((piece.evidence.id, piece.row, piece.sentence), (-_FAR, 0.0))
        held.append((one, {**signals, "candidate": 1.0 + max(-_FAR, score) / _FAR, "share": share}))
    return held


def passages_alone(inputs: AnswerInputs, shape: QuestionShape) -> list[tuple[Passage, Mapping[str, float]]]:
    """Every passage with those of its signals that do not depend on candidates, in [0, 1]."""
    found = [_passage(piece) for piece in pieces(inputs.evidence)]
    rarity = rarities(one.piece for one in found)
    near = [nearness(one.piece) for one in found]
    nearer = {place: rank for rank, place in enumerate(sorted(range(len(found)), key=lambda place: -near[place]))}
    place_of = {item.id: place for place, item in enumerate(inputs.evidence)}
    held: list[tuple[Passage, Mapping[str, float]]] = []
    for place, one in enumerate(found):
        item, terms = one.piece.evidence, content_terms(one.text)
        header = content_terms(" ".join(item.header)) if one.piece.row is not None else frozenset[str]()
        kinds = [
            span for span in spans(one.text[:SPAN_CHARACTERS], phrases=False) if _answers(span.text, span.kind, shape)
        ]
        held.append((one, {
            "own": covered(shape.terms, terms, rarity),
            "titled": covered(shape.terms, terms | one.piece.titled, rarity),
            "chain": covered(shape.terms, terms | one.piece.chain, rarity),
            "focus": covered(shape.focus, terms | header, rarity),
            "place": 1.0 / (1 + place_of[item.id]),
            "kind": float(bool(kinds)),
            "headed": float(bool(shape.heads & (terms | header))),
            "row": float(one.piece.row is not None),
            "nearness": near[place],
            "nearest": 1.0 / (1 + nearer[place]) if near[place] else 0.0,
        }))  # fmt: skip
    return held


def _answers(text: str, kind: str, shape: QuestionShape) -> bool:
    return fit(shape.kind, kind, text) > _LIKELY and not content_terms(text) <= shape.terms  # type: ignore[arg-type]


def _passage(piece: Piece) -> Passage:
    item = piece.evidence
    if piece.row is not None:
        headed = zip(item.header, item.rows[piece.row], strict=False)
        return Passage(piece, " ".join([*item.rows[piece.row], *(head for head, cell in headed if cell)]), 0, 0)
    if piece.sentence is None:
        return Passage(piece, piece.text, 0, 0)
    first, last = passage(item, piece.sentence)
    return Passage(piece, " ".join(item.sentences[first : last + 1]), first, last)


def _best_candidates(listed: Sequence[Ranked]) -> dict[tuple[str, int | None, int | None], tuple[float, float]]:
    """By piece the score of its best candidate, below that of the best of all, and the share."""
    found: dict[tuple[str, int | None, int | None], tuple[float, float]] = {}
    for one in listed:
        piece = one.candidate.piece
        found.setdefault((piece.evidence.id, piece.row, piece.sentence), (one.score - listed[0].score, one.share))
    return found
