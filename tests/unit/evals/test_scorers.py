from __future__ import annotations

from typing import Any

import pytest
from fixtures.outcomes import asked, replied
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.outcome import failed_outcome, outcome_of
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, ndcg_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.graphs.methods import METHODS

IDS = st.sampled_from([f"c{number}" for number in range(12)])
GOLD = st.lists(st.lists(IDS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=4).map(tuple)
RANKINGS = st.lists(IDS, unique=True, max_size=12).map(tuple)
TEXTS = st.text(alphabet="ab1 .,'the", max_size=12)
K = st.integers(1, 12)
RETRIEVAL = [hit_at, recall_at, mrr_at]


def number(score: float | None) -> float:
    assert score is not None
    return score


def test_retrieval_scores_of_a_hand_made_example() -> None:
    question = asked(gold=(("t1",), ("p1", "p2")))
    outcome = replied(ranking=("x", "p2", "y", "t1"))
    got = {scorer.name: scorer(question, outcome) for scorer in (hit_at(1), hit_at(2), recall_at(2), mrr_at(4))}
    assert got == {"Hit@1": 0.0, "Hit@2": 1.0, "Recall@2": 0.5, "MRR@4": 0.5}
    assert recall_at(4)(question, outcome) == 1.0
    assert recall_at(4)(question, replied(ranking=("p1", "p2"))) == 0.5, "two components of a group count once"


@given(gold=GOLD, ranking=RANKINGS, k=K, data=st.data())
def test_retrieval_grows_with_k_and_ignores_the_order_of_gold(gold: Any, ranking: Any, k: int, data: Any) -> None:
    outcome, moved = replied(ranking=ranking), replied(ranking=(*data.draw(st.permutations(ranking[:k])), *ranking[k:]))
    shuffled = tuple(tuple(data.draw(st.permutations(group))) for group in data.draw(st.permutations(gold)))
    hit = number(hit_at(k)(asked(gold=gold), outcome))
    for make in RETRIEVAL:
        small, large = number(make(k)(asked(gold=gold), outcome)), number(make(k + 1)(asked(gold=gold), outcome))
        assert 0.0 <= small <= large <= 1.0
        assert small <= hit
        assert small == make(k)(asked(gold=shuffled), outcome)
        assert 0.0 <= number(ndcg_at(k)(asked(gold=gold), outcome)) <= 1.0
        assert make is mrr_at or small == make(k)(asked(gold=gold), moved), "the order within the top"


@pytest.mark.parametrize("make", RETRIEVAL)
def test_unanswerable_questions_are_left_out_of_retrieval(make: Any) -> None:
    assert make(10)(asked(), replied(ranking=("c1",))) is None


@pytest.mark.parametrize(
    ("answer", "gold", "em", "overlap"),
    [
        ("The Titan IIIE-Centaur!", "Titan IIIE-Centaur", 1.0, 1.0),
        ("on 14 January 2005", "14 January 2005", 0.0, 6 / 7),
        ("", "Ada", 0.0, 0.0),
    ],
)
def test_answers_are_compared_as_in_squad(answer: str, gold: str, em: float, overlap: float) -> None:
    question, outcome = asked(answers=(gold,)), replied(answer=answer)
    assert exact_match()(question, outcome) == em
    assert token_f1()(question, outcome) == pytest.approx(overlap)


@given(answers=st.lists(TEXTS, min_size=1, max_size=4), answer=TEXTS, data=st.data())
def test_answer_scores_are_bounded_and_ignore_order(answers: list[str], answer: str, data: st.DataObject) -> None:
    outcome = replied(answer=answer)
    em = number(exact_match()(asked(answers=tuple(answers)), outcome))
    overlap = number(token_f1()(asked(answers=tuple(answers)), outcome))
    assert 0.0 <= em <= overlap <= 1.0
    assert em == max(number(exact_match()(asked(answers=(one,)), outcome)) for one in answers), "the best counts"
    shuffled = asked(answers=tuple(data.draw(st.permutations(answers))))
    assert token_f1()(shuffled, outcome) == overlap


def test_an_abstention_is_right_where_there_is_no_answer_alone() -> None:
    question, outcome = asked(answers=("nothing",)), replied(answer="nothing", abstained=True)
    scores = [scorer(question, outcome) for scorer in (exact_match(), token_f1(), abstained(), correct_abstention())]
    assert scores == [0.0, 0.0, 1.0, None]
    assert correct_abstention()(asked(), replied(abstained=True)) == 1.0
    assert correct_abstention()(asked(), replied(answer="42")) == 0.0
    assert exact_match()(asked(), replied(abstained=True)) is None


@pytest.mark.parametrize("scorer", [hit_at(10), exact_match(), token_f1(), abstained()])
def test_a_question_that_failed_scores_zero(scorer: Scorer) -> None:
    failed = failed_outcome("q", "", RuntimeError("boom"), 0.5)
    assert scorer(asked(answers=("Ada",), gold=(("c1",),)), failed) == 0.0
    assert correct_abstention()(asked(), failed) == 0.0


@pytest.mark.parametrize("scorer", [calls(), tokens(), cost(), seconds(), hops()])
def test_failing_does_not_look_cheap(scorer: Scorer) -> None:
    assert scorer(asked(), failed_outcome("q", "", RuntimeError("boom"), 0.5)) is None


def test_spending_is_read_from_the_ledger_and_the_history() -> None:
    charge = {"calls": 1, "input_tokens": 10, "output_tokens": 2, "cost_usd": 0.5, "seconds": {"model": 1.0}}
    record = {"kind": "traverse", "outcome": "failure"}
    state = {
        "usage": {"plan@0": charge, "answer@0": charge},
        "hops": [record, {**record, "outcome": "refused"}, {"kind": "plan", "outcome": "success"}, record],
    }
    outcome = outcome_of("q", "", METHODS["fif"], state, 3.5)
    got = [scorer(asked(), outcome) for scorer in (calls(), tokens(), cost(), seconds(), hops())]
    assert got == [2.0, 24.0, 1.0, 3.5, 2.0]
    assert hops()(asked(), outcome_of("q", "", METHODS["dense"], {}, 1.0)) is None
