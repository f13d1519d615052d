"""Multiple choice: scores and macro-F1."""

from __future__ import annotations

import pytest
from fixtures.outcomes import replied

from backtrail.evals.formats.choices import choice_tags
from backtrail.evals.questions import Question
from backtrail.evals.scorers.choice import accuracy, accuracy_when_answered, macro_f1, pooled_macro_f1, unclear
from backtrail.evals.summary import summarise

COLOURS = ["red", "green", "blue"]


def asked(right: int, number: int = 0) -> Question:
    return Question(id=f"q{number}", question="Which?", answers=("x",), tags=choice_tags(COLOURS, right))


@pytest.mark.parametrize(
    ("answer", "right", "vague"),
    [("(B) green", 1.0, 0.0), ("Green.", 1.0, 0.0), ("A", 0.0, 0.0), ("red or green", 0.0, 1.0), ("mauve", 0.0, 1.0)],
)
def test_an_answer_counts_for_the_option_that_it_means(answer: str, right: float, vague: float) -> None:
    assert accuracy()(asked(1), replied(answer)) == right
    assert unclear()(asked(1), replied(answer)) == vague


def test_an_abstention_is_wrong_and_told_apart() -> None:
    outcome = replied("I do not know; red?", abstained=True)
    assert accuracy()(asked(0), outcome) == 0.0
    assert accuracy_when_answered()(asked(0), outcome) is None
    assert unclear()(asked(0), outcome) == 0.0
    assert accuracy()(Question(id="q", question="Who?"), outcome) is None


def test_macro_f1_by_hand() -> None:
    said = [(0, "red"), (0, "red"), (0, "green"), (1, "green"), (2, "mauve")]
    pairs = [(asked(right, number), replied(answer)) for number, (right, answer) in enumerate(said)]
    # red: 2·2/(3+2), green: 2·1/(1+2), blue was never said
    assert pooled_macro_f1(pairs) == pytest.approx((4 / 5 + 2 / 3 + 0) / 3)
    summary = summarise("m", (accuracy(), macro_f1()), pairs)
    score = summary.scores["Macro-F1"]
    assert score.mean == pytest.approx((4 / 5 + 2 / 3) / 3)
    assert 0.0 <= score.low <= score.high <= 1.0
    assert score.count == 5
