"""The reader's rule on multiple choice: an option that the evidence supports, or an abstention."""

from __future__ import annotations

from fixtures.pieces import text_piece

from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.extract import extract_answer
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

CAPITALS = text_piece(
    "capitals", "Nevada", "Nevada is a state of the United States.", "The capital of Nevada is Carson City."
)
ASKED = "Question: What is the capital of Nevada?\nContext: N/A\nOptions: (A) Las Vegas (B) Carson City (C) Reno"


def inputs(question: str, *evidence: EvidenceText) -> AnswerInputs:
    return AnswerInputs(question=question, evidence=list(evidence))


def test_the_option_that_the_evidence_names_is_given_with_its_citation() -> None:
    reading = extract_answer(inputs(ASKED, CAPITALS))
    assert reading.supported
    assert reading.text == "(B) Carson City"
    assert [(piece.component, piece.sentence) for piece in reading.citations] == [("capitals", 1)]


def test_without_evidence_for_any_option_none_is_guessed() -> None:
    reading = extract_answer(inputs(ASKED, text_piece("capitals", "Nevada", "Nevada is a dry state.")))
    assert not reading.supported
    assert reading.citations == []
    assert not extract_answer(inputs(ASKED)).supported


def test_a_question_without_options_is_read_as_ever() -> None:
    plain = inputs("What is the capital of Nevada?", CAPITALS)
    read = extract_answer(plain)
    assert (read.text, read.citations) == (answer(plain).text, answer(plain).citations)
