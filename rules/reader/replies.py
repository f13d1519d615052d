"""Shared parts of reader replies: abstentions, and citations of a piece with its linking row."""

from __future__ import annotations

import re

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import FUNCTION_WORDS, content_terms, stem
from backtrail.language.vocabulary import KIN, AnswerKind
from backtrail.rules.reader.support import Piece, linking_row, pieces
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, Reading
from backtrail.state.offline.extract import ExtractInputs

# Missing words named in an abstention: enough to be useful, few enough for one sentence.
WORDS_NAMED = 4
# Only the start of a longer "word" is named (a key, a run of letters without spaces).
WORD_CHARACTERS = 40

_ASKED: dict[AnswerKind, str] = {
    "person": "a person", "place": "a place", "organisation": "an organisation", "date": "a date", "year": "a year",
    "time": "a time of day", "number": "a number", "nationality": "a nationality", "colour": "a colour",
    "reason": "a reason", "manner": "a way", "yes_no": "a statement",
    "choice": "a choice between the two", "entity": "an answer", "unknown": "an answer",
}  # fmt: skip


def cite(piece: Piece, inputs: AnswerInputs, shape: QuestionShape) -> list[CitedPiece]:
    """Cite the piece, and the row that led to its page or the page that a row leads to."""
    item = piece.evidence
    cited = [CitedPiece(component=item.id, row=piece.row, sentence=piece.sentence)]
    by_id = {evidence.id: evidence for evidence in inputs.evidence}
    if piece.row is None:
        if item.parent in by_id and item.parent != item.id:
            cited.append(CitedPiece(component=item.parent, row=linking_row(item, by_id)))
        return cited
    lacking = shape.terms - piece.titled
    helpers = [
        (len(lacking & content_terms(" ".join([child.title, *child.sentences]))), -index, child)
        for index, child in enumerate(inputs.evidence)
        if child.parent == item.id and child.parent_row == piece.row and child.id != item.id
    ]
    if helpers and max(helpers, key=lambda entry: entry[:2])[0]:
        cited.append(CitedPiece(component=max(helpers, key=lambda entry: entry[:2])[2].id))
    return cited


def abstain(shape: QuestionShape, inputs: AnswerInputs) -> Reading:
    """Abstain in one sentence, with the question's missing words, if any."""
    lacking = missing_words(shape, inputs)
    if lacking:
        what = "nothing that was found says " + _quoted(lacking)
    else:
        what = f"what was found says words of it, and no one place plainly {_ASKED[shape.kind]} for it"
    return Reading(text=f"I found no supported answer: {what}.", citations=[], supported=False, confidence=0.0)


def abstain_uncovered() -> Reading:
    """Abstain because no piece covers enough of the question; missing words are named only in English."""
    said = "I found no supported answer: the evidence does not say enough of the question."
    return Reading(text=said, citations=[], supported=False, confidence=0.0)


def abstain_undefined(thing: str) -> Reading:
    """Abstain because no sentence defines the thing."""
    what = f"no sentence of the evidence says what “{thing[:WORD_CHARACTERS]}” is"
    return Reading(text=f"I found no supported answer: {what}.", citations=[], supported=False, confidence=0.0)


def _quoted(words: list[str]) -> str:
    return ", ".join(f"“{word[:WORD_CHARACTERS]}”" for word in words[:WORDS_NAMED])


def missing_words(shape: QuestionShape, inputs: AnswerInputs) -> list[str]:
    """Return the question's words that neither the evidence nor its context contains, in order."""
    beside = inputs.beside if isinstance(inputs, ExtractInputs) else []
    present = frozenset[str]().union(*(piece.titled for piece in pieces([*inputs.evidence, *beside])))
    lacking: dict[str, str] = {}
    for word in re.findall(r"\w+", shape.text):
        term = stem(word.casefold())
        if word.casefold() not in FUNCTION_WORDS and term not in present and not KIN.get(term, frozenset()) & present:
            lacking.setdefault(term, word)
    return list(lacking.values())
