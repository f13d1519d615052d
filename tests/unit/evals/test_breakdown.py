"""Scores by a tag: each value its own row, numbers in their order."""

from __future__ import annotations

from typing import Any

from backtrail.evals.breakdown import broken_down
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.report import breakdown_markdown
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.spending import calls


def pair(answer: str, tag: Any) -> tuple[Question, Outcome]:
    tags = {} if tag is ... else {"tag": tag}
    question = Question(id="q", question="?", answers=("Ada",), tags=tags)
    return question, Outcome(id="q", asked="", answer=answer, calls=3, seconds=1.0)


def test_values_come_in_their_order_and_untagged_questions_are_left_out() -> None:
    held = [pair("Ada", 10), pair("Bob", 2), pair("Ada", "table"), pair("Ada", None), pair("Ada", ""), pair("Ada", ...)]
    assert list(broken_down("fif", (exact_match(),), held, "tag")) == ["2", "10", "table"]
    assert broken_down("fif", (exact_match(),), held, "other") == {}


def test_a_question_with_several_values_counts_under_each() -> None:
    held = [pair("Ada", ["TXT", "IMG"]), pair("Bob", ["IMG"])]
    groups = broken_down("fif", (exact_match(),), held, "tag")
    assert {value: summary.scores["EM"].mean for value, summary in groups.items()} == {"IMG": 0.5, "TXT": 1.0}
    assert {value: summary.questions for value, summary in groups.items()} == {"IMG": 2, "TXT": 1}


def test_the_table_shows_shares_and_not_what_was_spent() -> None:
    groups = broken_down("fif", (exact_match(), calls()), [pair("Ada", 1), pair("Bob", 2)], "tag")
    assert breakdown_markdown("tag", list(groups.items())).splitlines() == [
        "| Method | tag | Questions | EM |",
        "| --- | --- | ---: | ---: |",
        "| fif | 1 | 1 | 100.0 |",
        "| fif | 2 | 1 | 0.0 |",
    ]
