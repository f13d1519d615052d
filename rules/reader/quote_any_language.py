"""Quote the best-matching sentence or row in languages without answer extraction.

A span is never taken out: which one answers is told by words that are known here in English alone.
"""

from __future__ import annotations

from backtrail.language.questions import QuestionShape
from backtrail.language.scripts import UNSPACED
from backtrail.language.terms import content_terms
from backtrail.rules.reader.replies import abstain_uncovered, cite
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import ANSWER_CHARACTERS, AnswerInputs, Reading

# Below this share of the question said by the best chain the evidence is about something else; as for English.
LEAST_COVERAGE = 0.45
# Of a question without spaces half the n-grams join two words, and stand nowhere else.
LEAST_OF_NGRAMS = 0.3
# What a piece says itself tells apart those of one page; the title and the row that led there say the rest.
TITLED = 0.6


def quote(inputs: AnswerInputs, shape: QuestionShape) -> Reading:
    """The sentence or row that says most of the question; one sentence where none says enough."""
    listed = pieces(inputs.evidence)
    rarity = rarities(listed)
    best = max(
        listed,
        key=lambda one: covered(shape.terms, one.own, rarity) + TITLED * covered(shape.terms, one.chain, rarity),
    )
    said = covered(shape.terms, best.chain, rarity)
    if said < (LEAST_OF_NGRAMS if UNSPACED.search(inputs.question) else LEAST_COVERAGE):
        return abstain_uncovered()
    return Reading(
        text=_text(best, shape)[:ANSWER_CHARACTERS], citations=cite(best, inputs, shape), supported=True,
        confidence=round(0.5 * said, 4),
    )  # fmt: skip


def _text(piece: Piece, shape: QuestionShape) -> str:
    """A row with the names of its columns; a sentence, with the one beside it that says more of the question."""
    item, place = piece.evidence, piece.sentence
    if piece.row is not None:
        cells = zip(item.header, item.rows[piece.row], strict=False)
        return "; ".join(f"{head}: {cell}" if head else cell for head, cell in cells if cell.strip())
    if place is not None:
        left = shape.terms - piece.titled
        for other in (place + 1, place - 1):  # what goes on about the thing before what leads up to it
            if 0 <= other < len(item.sentences) and content_terms(item.sentences[other]) & left:
                return " ".join(item.sentences[at] for at in sorted((place, other)))
    return piece.text
