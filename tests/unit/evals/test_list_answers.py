"""EM and F1 over lists of answers; their values stand beside the official ones in ``test_official_scores``."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorers.list_answers import list_exact_match, list_f1, spans_of


@pytest.mark.parametrize(
    ("answer", "spans"),
    [
        ("Taipei, Lodz and Rome", ["Taipei", "Lodz", "Rome"]),
        ("Taipei; Lodz", ["Taipei", "Lodz"]),
        ("Taipei, and Lodz", ["Taipei", "Lodz"]),
        ("Finland", ["Finland"]),
        (",", [","]),
    ],
)
def test_an_answer_in_one_text_is_split_where_a_list_was_asked_for(answer: str, spans: list[str]) -> None:
    assert spans_of(answer, ["x", "y"]) == spans
    assert spans_of(answer, ["x"]) == [answer], "a single answer may hold a comma"


def scored(answer: str, *, abstained: bool = False, **tags: Any) -> tuple[float | None, float | None]:
    question = Question(id="q", question="?", answers=("Taipei, Lodz",), tags=tags)
    outcome = Outcome(id="q", asked="", answer=answer, abstained=abstained, seconds=1.0)
    return list_exact_match()(question, outcome), list_f1()(question, outcome)


def test_the_tag_holds_the_list_and_the_answer_stands_in_for_it() -> None:
    assert scored("Lodz and Taipei", answer_list=["Taipei", "Lodz"]) == (1.0, 1.0)
    assert scored("Taipei, Lodz") == (1.0, 1.0)
    assert scored("Lodz and Taipei", answer_list=["Taipei", "Lodz"], abstained=True) == (0.0, 0.0)
