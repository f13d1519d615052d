"""Quote the best-matching sentence or row in languages without answer extraction.

No span is extracted: choosing one needs word lists that exist only for English.
"""

from __future__ import annotations

from backtrail.language.questions import QuestionShape
from backtrail.language.scripts import UNSPACED
from backtrail.language.terms import content_terms
from backtrail.rules.reader.replies import abstain_uncovered, cite
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import ANSWER_CHARACTERS, AnswerInputs, Reading

# If the best chain covers less of the question, the evidence is about something else; as for English.
LEAST_COVERAGE = 0.45
# In a question without spaces half of the n-grams cross word boundaries, and occur nowhere else.
LEAST_OF_NGRAMS = 0.3
# A piece's own text separates pieces of one page; title and linking row cover the rest.
TITLED = 0.6


def quote(inputs: AnswerInputs, shape: QuestionShape) -> Reading:
    """Return the sentence or row that covers most of the question; one sentence if none covers enough.

    A question of one term ("Was ist Titan?") is covered by every piece that names it, so no piece is chosen.
    """
    listed = pieces(inputs.evidence)
    rarity = rarities(listed)
    best = max(
        listed,
        key=lambda one: covered(shape.terms, one.own, rarity) + TITLED * covered(shape.terms, one.chain, rarity),
    )
    said = covered(shape.terms, best.chain, rarity)
    if len(shape.terms) < 2 or said < (LEAST_OF_NGRAMS if UNSPACED.search(inputs.question) else LEAST_COVERAGE):
        return abstain_uncovered()
    return Reading(
        text=_text(best, shape)[:ANSWER_CHARACTERS], citations=cite(best, inputs, shape), supported=True,
        confidence=round(0.5 * said, 4),
    )  # fmt: skip


def _text(piece: Piece, shape: QuestionShape) -> str:
    """Format a row with column names; a sentence with the neighbour that covers more of the question."""
    item, place = piece.evidence, piece.sentence
    if piece.row is not None:
        cells = zip(item.header, item.rows[piece.row], strict=False)
        return "; ".join(f"{head}: {cell}" if head else cell for head, cell in cells if cell.strip())
    if place is not None:
        left = shape.terms - piece.titled
        for other in (place + 1, place - 1):  # a following sentence comes before a preceding one
            if 0 <= other < len(item.sentences) and content_terms(item.sentences[other]) & left:
                return " ".join(item.sentences[at] for at in sorted((place, other)))
    return piece.text
