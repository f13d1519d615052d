"""Two methods on the same questions: what differs is told from what luck could have made."""

from __future__ import annotations

import pytest

from backtrail.evals.comparison import Comparison
from backtrail.evals.outcome import Outcome
from backtrail.evals.paired import differences
from backtrail.evals.questions import Question
from backtrail.evals.report import differences_markdown
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.choice import macro_f1
from backtrail.evals.scorers.retrieval import hit_at
from backtrail.evals.scorers.spending import calls

SCORERS = (hit_at(1), exact_match(), calls(), macro_f1())


def pairs(found: str) -> list[tuple[Question, Outcome]]:
    """One question a letter: "+" finds its gold, "-" does not, " " was not finished."""
    asked = [Question(id=f"q{number}", question="?", gold=(("a",),)) for number in range(len(found))]
    return [
        (question, Outcome(id=question.id, asked=question.asked, ranking=("a",) if mark == "+" else (), seconds=1.0))
        for question, mark in zip(asked, found, strict=True)
        if mark != " "
    ]


def test_only_questions_that_both_finished_are_compared_and_only_by_shares() -> None:
    found = differences(SCORERS, pairs("++-+ "), pairs("+-+ +"))
    assert list(found) == ["Hit@1"], "no answers to score, and an amount is no share"
    [one] = found.values()
    assert (one.mean, one.count, one.better, one.worse) == (0.0, 3, 1, 1)


def test_a_constant_gain_has_an_interval_of_no_width_and_swapping_turns_the_sign() -> None:
    gain = differences(SCORERS, pairs("++++"), pairs("----"))["Hit@1"]
    assert (gain.mean, gain.low, gain.high) == (1.0, 1.0, 1.0)
    there, back = (differences(SCORERS, *both)["Hit@1"] for both in (
        (pairs("++-+--"), pairs("-+--+-")), (pairs("-+--+-"), pairs("++-+--")),
    ))  # fmt: skip
    assert there.mean == -back.mean
    assert (there.better, there.worse) == (back.worse, back.better)
    assert there.low < there.mean < there.high


def test_pairing_is_sharper_than_two_intervals() -> None:
    """One more of fifty found, nothing lost: the interval starts at zero, far inside those of the two means."""
    gain = differences(SCORERS, pairs("+" * 26 + "-" * 24), pairs("+" * 25 + "-" * 25))["Hit@1"]
    assert gain.low == 0.0
    assert gain.high < 0.1


def test_the_table_shows_points_and_who_was_better_where() -> None:
    found = Comparison(SCORERS, [], {"bm25": pairs("--+"), "fif": pairs("+++")})
    table = differences_markdown("bm25", found.differences("bm25")).splitlines()
    assert table[0] == "| Against bm25 | Hit@1 |"
    assert table[2].startswith("| fif | +66.7 [+0.0, +100.0] (2:0) |")
    with pytest.raises(KeyError):
        found.differences("dense")
