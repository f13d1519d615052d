"""Reading in languages whose questions the rules cannot take apart: the piece that says most of them, quoted whole.

A span is never taken out: which one answers is told by words that are known here in English alone.
"""

from __future__ import annotations

import re

from backtrail.language.questions import QuestionShape
from backtrail.language.scripts import UNSPACED
from backtrail.language.terms import content_terms
from backtrail.rules.reader.announced import LIST_JOINT, Announced, leads_in
from backtrail.rules.reader.replies import abstain_uncovered, cite
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import ANSWER_CHARACTERS, AnswerInputs, Reading

# Below this share of the question said by the best chain the evidence is about something else; as for English.
LEAST_COVERAGE = 0.45
# Of a question without spaces half the n-grams join two words, and stand nowhere else.
LEAST_OF_NGRAMS = 0.3
# What a piece says itself tells apart those of one page; the title and the row that led there say the rest.
OWN, TITLED = 1.0, 0.6
_WHO = re.compile(
    r"\b(?:wer|wem|wen|wessen|qui|à qui|quién|quiénes|quem|chi|wie is|wie zijn|кто|кого|кому|хто|kto|kdo|vem|hvem)\b",
    re.IGNORECASE,
)
_FULL_NAME = re.compile(r"(?<!\w)[^\W\d_a-zß-öø-ÿа-яё][\w’'-]{1,60}(?:\s+[^\W\d_a-zß-öø-ÿа-яё][\w’'-]{1,60}){1,8}")


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
        text=_with_neighbour(piece, listed, inputs, shape)[:ANSWER_CHARACTERS],
        citations=cite(piece, inputs, shape),
        supported=True,
        confidence=round(0.5 * covered(shape.terms, piece.chain, rarity), 4),
    )


def _says(piece: Piece, shape: QuestionShape, rarity: dict[str, float]) -> float:
    return OWN * covered(shape.terms, piece.own, rarity) + TITLED * covered(shape.terms, piece.chain, rarity)


def _with_neighbour(piece: Piece, listed: list[Piece], inputs: AnswerInputs, shape: QuestionShape) -> str:
    """The piece, with the list that it announces, or with the sentence beside it that says more of the question.

    "The gates are greased twice a year. Responsible is Ingrid Falk.": of two sentences of one paragraph the first says
    what is asked about, and the second answers. Of a question for a person that may be one that only names somebody.
    """
    if leads_in(piece) and (items := Announced(inputs).by(piece)):
        return f"{piece.text.rstrip()} {LIST_JOINT.join(items)}"
    if piece.sentence is None:
        return _text(piece)
    beside = {
        other.sentence - piece.sentence: other
        for other in listed
        if other.evidence.id == piece.evidence.id and other.sentence is not None
    }
    said = piece.titled & shape.terms
    for place in (1, -1):  # what goes on about the thing before what leads up to it
        if (other := beside.get(place)) and other.own & shape.terms - said:
            return " ".join(one.text for one in sorted((piece, other), key=lambda one: one.sentence or 0))
    after = beside.get(1)
    if after and asks_for_person(shape.text) and not _names_somebody(piece, shape) and _names_somebody(after, shape):
        return f"{piece.text} {after.text}"
    return piece.text


def asks_for_person(question: str) -> bool:
    """Whether a question of one of some languages asks who."""
    return bool(_WHO.search(question))


def _names_somebody(piece: Piece, shape: QuestionShape) -> bool:
    """Whether a sentence says a name of several words that the question does not say."""
    return any(not content_terms(name) <= shape.terms for name in _FULL_NAME.findall(piece.text))


def _text(piece: Piece) -> str:
    if piece.row is None:
        return piece.text
    item = piece.evidence
    cells = zip(item.header, item.rows[piece.row], strict=False)
    return "; ".join(f"{head}: {cell}" if head else cell for head, cell in cells if cell.strip())
