"""What leaves much of the question unsaid is never given with high confidence, however little else is at hand."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.extract import extract_answer
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

BRIDGE = "The Orvane Bridge was designed by Mira Tessel in 1931."
ANNA = "Anna Reuter has led the maintenance department since 2016."


@pytest.mark.parametrize(
    ("told", "question", "is_high"),
    [
        (BRIDGE, "Who designed the Orvane Bridge?", True),
        (BRIDGE, "Who opened the Orvane Bridge?", False),
        (ANNA, "When was Anna Reuter born?", False),
        ("Titan is the largest moon of Saturn.", "What is Titan?", True),
    ],
)
def test_the_only_piece_at_hand_must_say_what_is_asked(told: str, question: str, is_high: bool) -> None:
    piece = EvidenceText(id="d#1", modality="text", title="Handbook", sentences=[told], score=1.0)
    reading = extract_answer(AnswerInputs(question=question, evidence=[piece]))
    assert (reading.extract.level == "high") is is_high
