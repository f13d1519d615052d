"""Draws of questions, paired rows with their p values, and an allowance: what keeps a table honest and affordable."""

from collections import Counter

from fixtures.outcomes import replied
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.allowance import Allowance
from backtrail.evals.outcome import Outcome
from backtrail.evals.paired import differences, holm, sign_flip_p
from backtrail.evals.questions import Question
from backtrail.evals.sampling import drawn
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.choice import macro_f1
from backtrail.evals.scorers.retrieval import hit_at
from backtrail.evals.scorers.spending import calls


def asked(kinds: str) -> list[Question]:
    return [Question(id=f"q{n}", question="?", tags={"type": kind}) for n, kind in enumerate(kinds)]


@given(st.text("abc", min_size=1, max_size=60), st.integers(1, 70), st.integers(0, 5))
def test_a_draw_holds_so_many_in_file_order_in_the_shares_of_the_tag_and_repeats(kinds: str, n: int, seed: int) -> None:
    questions = asked(kinds)
    sample = drawn(questions, n, seed, "type")
    assert len(sample) == min(n, len(kinds))
    assert [one for one in questions if one in sample] == sample
    assert drawn(questions, n, seed, "type") == sample
    for kind, count in Counter(kinds).items():
        share = min(n, len(kinds)) * count / len(kinds)
        assert abs(sum(one.tags["type"] == kind for one in sample) - share) < 1


def test_another_seed_draws_others_and_a_larger_draw_keeps_the_smaller_one() -> None:
    questions = asked("a" * 200)
    ten = {one.id for one in drawn(questions, 10, 1)}
    assert ten <= {one.id for one in drawn(questions, 50, 1)}
    assert ten != {one.id for one in drawn(questions, 10, 2)}


def test_p_is_small_for_a_constant_gain_and_one_for_none() -> None:
    assert sign_flip_p([0.0] * 50) == 1.0
    assert sign_flip_p([1.0] * 20) < 0.001
    assert sign_flip_p([1.0, -1.0] * 10) == 1.0
    exact = 2 / 2**6  # all six the same way: two of 64 signings
    assert abs(sign_flip_p([1.0] * 6) - exact) < 0.01


def test_holm_adjusts_each_for_those_that_are_left_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_an_allowance_turns_questions_away_before_it_is_overdrawn() -> None:
    under_way = Allowance(1.0)
    assert under_way.admits()
    under_way.book(Outcome(id="q", fingerprint="", cost_usd=0.3, seconds=1.0))
    assert [under_way.admits() for _ in range(3)] == [True, True, False], "each counts as the dearest so far"
    allowance, spent = Allowance(1.0), 0
    while allowance.admits():
        allowance.book(Outcome(id="q", fingerprint="", cost_usd=0.3, seconds=1.0))
        spent += 1
    assert spent == 3, "a fourth could bring it to 1.20"
    assert allowance.used_up
    assert not Allowance(None).used_up
    assert all(Allowance(None).admits() for _ in range(5))


SCORERS = (hit_at(1), exact_match(), calls(), macro_f1())


def pairs(found: str) -> list[tuple[Question, Outcome]]:
    """One question a letter: "+" finds its gold, "-" does not, " " was not finished."""
    asked = [Question(id=f"q{number}", question="?", gold=(("a",),)) for number in range(len(found))]
    return [
        (question, replied(id=question.id, ranking=("a",) if mark == "+" else ()))
        for question, mark in zip(asked, found, strict=True)
        if mark != " "
    ]


def test_only_questions_that_both_finished_are_compared_and_only_by_shares() -> None:
    found = differences(SCORERS, pairs("++-+ "), pairs("+-+ +"))
    assert list(found) == ["Hit@1"], "no answers to score, and an amount is no share"
    [one] = found.values()
    assert (one.mean, one.count, one.better, one.worse) == (0.0, 3, 1, 1)
