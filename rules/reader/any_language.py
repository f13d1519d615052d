"""Reading in languages whose questions the rules cannot take apart: the piece that says most of them, quoted whole.

A span is never taken out: which one answers is told by words that are known here in English alone.
"""

from __future__ import annotations

from backtrail.language.questions import QuestionShape
from backtrail.language.scripts import UNSPACED
from backtrail.rules.reader.replies import abstain_uncovered, cite
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import ANSWER_CHARACTERS, AnswerInputs, Reading

# Below this share of the question said by the best chain the evidence is about something else; as for English.
LEAST_COVERAGE = 0.45
# Of a question without spaces half the n-grams join two words, and stand nowhere else.
LEAST_OF_NGRAMS = 0.3
# What a piece says itself tells apart those of one page; the title and the row that led there say the rest.
OWN, TITLED = 1.0, 0.6


def quote(inputs: AnswerInputs, shape: QuestionShape) -> Reading:
    """The sentence or row that says most of the question, word for word; one sentence where none says enough."""
    listed = pieces(inputs.evidence)
    rarity = rarities(listed)
    best = max(enumerate(listed), key=lambda entry: (_says(entry[1], shape, rarity), -entry[0]), default=None)
    least = LEAST_OF_NGRAMS if UNSPACED.search(inputs.question) else LEAST_COVERAGE
    if best is None or covered(shape.terms, best[1].chain, rarity) < least:
        return abstain_uncovered()
    piece = best[1]
    return Reading(
        text=_text(piece)[:ANSWER_CHARACTERS],
        citations=cite(piece, inputs, shape),
        supported=True,
        confidence=round(0.5 * covered(shape.terms, piece.chain, rarity), 4),
    )


def _says(piece: Piece, shape: QuestionShape, rarity: dict[str, float]) -> float:
    return OWN * covered(shape.terms, piece.own, rarity) + TITLED * covered(shape.terms, piece.chain, rarity)


def _text(piece: Piece) -> str:
    if piece.row is None:
        return piece.text
    item = piece.evidence
    cells = zip(item.header, item.rows[piece.row], strict=False)
    return "; ".join(f"{head}: {cell}" if head else cell for head, cell in cells if cell.strip())
