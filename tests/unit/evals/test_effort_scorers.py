"""Effort: what was right at once, what effort bought, and whether the two have to do with each other."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.evals.outcome import Outcome
from backtrail.evals.planned import Planned, SearchCounts
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.effort import (
    effort_of,
    kuiper,
    kuiper_statistic,
    right_after_one_search,
    right_within,
    searches_of,
    wasted_effort,
)

QUESTION = Question(id="q", question="When?", answers=["1998"])


def outcome(answer: str = "1998", **known: Any) -> Outcome:
    return Outcome(id="q", asked="", answer=answer, seconds=0.1, **known)


@pytest.mark.parametrize(
    ("scorer", "made", "expected"),
    [
        (right_after_one_search(), outcome(hops=1), 1),
        (right_after_one_search(), outcome(hops=2), 0),
        (right_after_one_search(), outcome("1999", hops=1), 0),
        (right_after_one_search(), outcome(ranking=("a",)), 1),  # a method that keeps no history searched once
        (right_within(4), outcome(calls=4), 1),
        (right_within(2), outcome(calls=4), 0),
        (right_within(2), outcome(hops=1), None),  # no model was called
    ],
)
def test_what_was_right_by_then(scorer: Scorer, made: Outcome, expected: float | None) -> None:
    assert scorer(QUESTION, made) == expected


def test_searches_are_those_that_were_made() -> None:
    searched = Planned(searches={"text": SearchCounts(searches=2), "image-by-text": SearchCounts(searches=1)})
    assert searches_of(outcome(planned=searched)) == 3
    assert searches_of(outcome()) == 0
    assert effort_of(outcome(calls=4, hops=1)) == 4
    assert effort_of(outcome(hops=3)) == 3


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([(1, True), (1, True), (5, False), (5, False)], 1.0),
        ([(1, False), (1, False), (5, True), (5, True)], 1.0),
        ([(1, True), (1, False), (5, True), (5, False)], 0.0),
        ([(1, True), (2, True)], 0.0),
        ([], 0.0),
    ],
)
def test_the_kuiper_statistic(told: list[tuple[int, bool]], expected: float) -> None:
    assert kuiper_statistic(told) == pytest.approx(expected)


def test_measures_of_all_questions() -> None:
    pairs = [(QUESTION, outcome(calls=2)), (QUESTION, outcome("1999", calls=6)), (QUESTION, outcome(calls=4))]
    assert wasted_effort().pool(pairs) == 2.0
    assert kuiper().pool(pairs) == pytest.approx(2 / 3)
    assert kuiper()(*pairs[0]) is not None
