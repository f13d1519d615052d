"""Quotes: passages that most likely contain the answer, for when no span is certain.

Each is from one place: up to 600 characters of a text, or of a table under its header. They are chosen one by one;
those with words of the question that no quote has yet come first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from backtrail.language.questions import QuestionShape
from backtrail.rules.reader.passages import order_of, place_of, shown
from backtrail.rules.reader.ranking import Ranked
from backtrail.rules.reader.support import Piece, covered, linking_row, pieces, rarities
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece
from backtrail.state.offline.extract import ExtractInputs, Quote

MOST_QUOTES = 3
WEIGHTS: Mapping[str, float] = {"nearness": 8.0, "lead": 5.0, "chain": 2.5, "near": 2.0, "unquoted": 8.0}
"""``near``: likelihood of its best candidate relative to the best of all; ``unquoted``: share of the question that no
quote has yet. Without ``unquoted`` 73 of 100 questions of HotpotQA have their answer in the quotes instead of 79."""
# Candidates this much worse than the best are ignored.
_FAR = 8.0


def quotes(
    inputs: AnswerInputs, shape: QuestionShape, listed: Sequence[Ranked], read: CitedPiece | None = None
) -> list[Quote]:
    """Return the pieces that most likely contain the answer, without repeated quotes.

    Args:
        inputs: question, evidence and context.
        shape: analysed question.
        listed: ranked candidates, if any: they raise the likelihood of their pieces.
        read: the piece of the answer, which is quoted first.
    """
    beside = inputs.beside if isinstance(inputs, ExtractInputs) else []
    found = pieces([*inputs.evidence, *beside])
    rarity = rarities(found)
    scores = _scores(found, inputs, shape, listed, rarity)
    places: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    for piece in sorted(found, key=order_of):
        places[place_of(piece)].append(piece)
    left = {piece.key: piece for piece in found}
    taken: list[Quote] = []
    quoted: frozenset[str] = frozenset()

    def worth(piece: Piece) -> float:
        if not quoted:
            return scores[piece.key]
        more = covered(shape.terms, quoted | piece.titled, rarity) - covered(shape.terms, quoted, rarity)
        return scores[piece.key] + WEIGHTS["unquoted"] * more

    first = left.get((read.component, read.row, read.sentence)) if read else None
    while left and len(taken) < MOST_QUOTES:
        best = first or max(left.values(), key=worth)
        first = None
        others = [one for one in places[place_of(best)] if one.key in left]
        text, held = shown(best, others, lambda one: scores[one.key], shape.terms)
        taken.append(Quote(component=best.evidence.id, row=best.row, sentence=best.sentence, text=text))
        quoted |= frozenset[str]().union(*(one.titled for one in held)) & shape.terms
        left = {key: one for key, one in left.items() if key not in {piece.key for piece in held}}
    return taken


def _scores(
    found: Sequence[Piece],
    inputs: AnswerInputs,
    shape: QuestionShape,
    listed: Sequence[Ranked],
    rarity: Mapping[str, float],
) -> dict[tuple[str, int | None, int | None], float]:
    """Return how likely each piece contains the answer."""
    shares: dict[str, list[float]] = defaultdict(list)
    for piece in found:
        if piece.row is not None:
            shares[piece.evidence.id].append(covered(shape.terms, piece.own, rarity))
    by_id = {item.id: item for item in inputs.evidence}
    best: dict[tuple[str, int | None, int | None], float] = {}
    for one in listed:
        best.setdefault(one.candidate.piece.key, one.score - listed[0].score)

    def lead(piece: Piece) -> float:
        """Lead in coverage of a row, or of the row that led to the page, over others of the table."""
        row = piece.row if piece.row is not None else linking_row(piece.evidence, by_id)
        table = shares[piece.evidence.id if piece.row is not None else piece.evidence.parent or ""]
        if row is None or row >= len(table):
            return 0.0
        return table[row] - max((share for place, share in enumerate(table) if place != row), default=0.0)

    def score(piece: Piece) -> float:
        signals = {
            "near": 1.0 + max(-_FAR, best.get(piece.key, -_FAR)) / _FAR,
            "lead": lead(piece),
            "chain": covered(shape.terms, piece.chain, rarity),
            "nearness": piece.nearness,
        }
        return math.fsum(WEIGHTS[name] * value for name, value in signals.items())

    return {piece.key: score(piece) for piece in found}
