"""Scorers of rankings, answers, choices, lists, parts, tables and spending."""

from typing import Any

import pytest
from fixtures.outcomes import asked, replied
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.formats.choices import choice_tags
from backtrail.evals.judging import missing_judgings, with_judgings
from backtrail.evals.outcome import failed_outcome, outcome_of
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.cells import cell_f1
from backtrail.evals.scorers.choice import accuracy, accuracy_when_answered, macro_f1, pooled_macro_f1, unclear
from backtrail.evals.scorers.cited_rows import exact_sources, wrong_answer
from backtrail.evals.scorers.correctness import all_parts, right
from backtrail.evals.scorers.denotation import denotation, denotation_match, same_denotation
from backtrail.evals.scorers.items import item_precision, item_recall
from backtrail.evals.scorers.judged import key_points
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, ndcg_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.scorers.tatqa import em_and_f1, tatqa_em_without_scale
from backtrail.evals.summary import summarise
from backtrail.graphs.methods import METHODS, find_method
from backtrail.tools.deciders.scripted import ScriptedDecider

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


COLOURS = ["red", "green", "blue"]


def option(right: int, number: int = 0) -> Question:
    return Question(id=f"q{number}", question="Which?", answers=("x",), tags=choice_tags(COLOURS, right))


@pytest.mark.parametrize(
    ("answer", "right", "vague"),
    [("(B) green", 1.0, 0.0), ("Green.", 1.0, 0.0), ("A", 0.0, 0.0), ("red or green", 0.0, 1.0), ("mauve", 0.0, 1.0)],
)
def test_an_answer_counts_for_the_option_that_it_means(answer: str, right: float, vague: float) -> None:
    assert accuracy()(option(1), replied(answer)) == right
    assert unclear()(option(1), replied(answer)) == vague


def test_an_abstention_is_wrong_and_told_apart() -> None:
    outcome = replied("I do not know; red?", abstained=True)
    assert accuracy()(option(0), outcome) == 0.0
    assert accuracy_when_answered()(option(0), outcome) is None
    assert unclear()(option(0), outcome) == 0.0
    assert accuracy()(Question(id="q", question="Who?"), outcome) is None


def test_macro_f1_by_hand() -> None:
    said = [(0, "red"), (0, "red"), (0, "green"), (1, "green"), (2, "mauve")]
    pairs = [(option(right, number), replied(answer)) for number, (right, answer) in enumerate(said)]
    # red: 2·2/(3+2), green: 2·1/(1+2), blue was never said
    assert pooled_macro_f1(pairs) == pytest.approx((4 / 5 + 2 / 3 + 0) / 3)
    summary = summarise("m", (accuracy(), macro_f1()), pairs)
    score = summary.scores["Macro-F1"]
    assert score.mean == pytest.approx((4 / 5 + 2 / 3) / 3)
    assert 0.0 <= score.low <= score.high <= 1.0
    assert score.count == 5


ISLANDS = (("Trinidad and Tobago",), ("Cuba",), ("Saint Lucia", "St. Lucia"))
HEIGHTS = {"Titan": {"Diameter": "5,150 km", "Found": "1655"}, "Rhea": {"Found": "1672"}}


@pytest.mark.parametrize(
    ("answer", "precision", "recall"),
    [
        ("Cuba, St. Lucia and Trinidad and Tobago", 1.0, 1.0),
        ("- Saint Lucia (1979)\n- cuba\n- Trinidad and Tobago, 1,400,000 people", 1.0, 1.0),
        ("Cuba and Malta", 0.5, 1 / 3),
        ("", 0.0, 0.0),
    ],
)
def test_items_count_in_any_order_and_wording(answer: str, precision: float, recall: float) -> None:
    question, outcome = asked(items=ISLANDS), replied(answer=answer)
    assert (item_precision()(question, outcome), item_recall()(question, outcome)) == (precision, recall)
    assert right()(question, outcome) == float(recall == 1.0), "a partial list is not right"
    assert item_recall()(question, replied(answer=answer, abstained=True)) == 0.0
    assert item_recall()(asked(answers=("Cuba",)), outcome) is None


@pytest.mark.parametrize(("answer", "score"), [("event, then prefork", 1.0), ("event", 0.0), ("", 0.0)])
def test_all_parts_have_to_be_right(answer: str, score: float) -> None:
    assert all_parts()(asked(parts=(("event",), ("prefork", "pre-fork"))), replied(answer=answer)) == score
    assert all_parts()(asked(answers=("event",)), replied(answer=answer)) is None


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("| Moon | Found | Diameter |\n|--|--|--|\n| **Rhea** | 1672 | |\n| titan | 1655 | 5,150 km |", 1.0),
        ("| Moon | Found |\n|--|--|\n| Titan | 1655 |\n| Rhea | 1655 |", 2 * 1 / 5),
        ("Titan was found in 1655.", 0.0),
    ],
)
def test_cells_are_compared_by_row_and_column_name(answer: str, score: float) -> None:
    assert cell_f1()(asked(cells=HEIGHTS), replied(answer=answer)) == pytest.approx(score)
    assert cell_f1()(asked(), replied(answer=answer)) is None


def test_items_and_cells_of_a_structured_answer_are_read_as_they_are() -> None:
    state = {
        "answer": {
            "text": "Two of them.", "short": "two", "citations": [], "confidence": 0.9, "abstained": False,
            "items": [{"text": "Cuba, since 1902", "citations": []}, {"text": "Mali", "citations": []}],
        }
    }  # fmt: skip
    listed = outcome_of("q", "", find_method("fif"), state, 0.0)
    assert (item_precision()(asked(items=(("Cuba",), ("Chad",))), listed), listed.items[1]) == (0.5, "Mali")
    rows = [
        [{"text": name, "citations": []}, {"text": value, "citations": [1]}] for name, value in (("A", "1"), ("B", ""))
    ]
    table = {"columns": ["Hill", "Metres"], "rows": rows}
    compared = outcome_of(
        "q", "", find_method("fif"), {"answer": {**state["answer"], "items": [], "table": table}}, 0.0
    )
    assert compared.cells == (("A", "Metres", "1"),)
    assert cell_f1()(asked(cells={"A": {"Metres": "1"}}), compared) == 1.0
    assert "| A | 1 |" in compared.answer


async def test_key_points_are_those_that_the_judge_finds_in_the_answer() -> None:
    question = asked(points=("It is cold.", "It is far.", "It is old."))
    judge = ScriptedDecider({"check_claims": [{"supported": [True, False, True]}]})
    outcome = await with_judgings(judge, question, replied(answer="Cold and old."), ("points",))
    assert key_points()(question, outcome) == pytest.approx(2 / 3)
    silent = await with_judgings(judge, question, replied(answer="Nothing.", abstained=True), ("points",))
    assert key_points()(question, silent) == 0.0
    assert missing_judgings(asked(answers=("x",)), replied(), ("points", "grade")) == ["grade"]


@pytest.mark.parametrize(
    ("said", "gold", "right"),
    [
        ("March 5th, 2014", ["5 March 2014"], True),
        ("2014-03-05", ["5 March 2014"], True),
        ("Rome; Bangkok, Thailand", ["Bangkok, Thailand", "Rome"], True),
        ("Rome, Oslo and Bern", ["Bern", "Oslo", "Rome"], True),
        ("1,200 and 3,400", ["3400", "1200"], True),
    ],
)
def test_an_answer_is_the_same_set_of_values(said: str, gold: list[str], right: bool) -> None:
    assert same_denotation(said, gold) == right


@given(st.integers(-(10**12), 10**12))
def test_a_number_is_the_same_with_and_without_separators(number: int) -> None:
    assert same_denotation(f"{number:,}", [str(number)])
    assert em_and_f1(f"{number:,} thousand", [str(number)], "thousand", "arithmetic") == (1, 1)


@pytest.mark.parametrize(
    ("said", "gold", "scale", "kind", "expected"),
    [
        ("-$12.6 million", ["-12.6"], "million", "arithmetic", (1, 1)),
        ("12,600 thousand", ["12.6"], "million", "arithmetic", (1, 1)),
        ("22.22 percent", ["22.22"], "percent", "arithmetic", (1, 1)),
        ("0.2222", ["22.22"], "percent", "arithmetic", (1, 1)),
    ],
)
def test_a_number_counts_with_its_scale(
    said: str, gold: list[str], scale: str, kind: str, expected: tuple[float, float]
) -> None:
    assert em_and_f1(said, gold, scale, kind) == expected


def test_a_number_without_its_scale_is_counted_apart() -> None:
    question = asked(answers=["12.6 million"], tags={"answer_list": ["12.6"], "scale": "million", "type": "arithmetic"})
    assert [tatqa_em_without_scale()(question, replied(said)) for said in ("12.6", "12.7")] == [1, 0]


@pytest.mark.parametrize(
    ("cited", "exact"),
    [
        ({"t": ((0, 1), (4, 4))}, 1),
        ({"t": ((0, 0), (4, 4))}, 0),  # the derivation needs row 1 or 2, too
        ({"t": ((0, 4),), "other": ((0, 0),)}, 0),
        ({"t": ((0, 5),)}, 0),  # the table has five rows
        ({}, 0),
    ],
)
def test_right_answers_cite_the_rows_of_the_gold_table(cited: dict[str, Any], exact: float) -> None:
    tags = {"answer_list": ["7"], "table_rows": 5, "source_rows": [[1, 2], [4]]}
    question, scorer = asked(answers=["7"], gold=(("t",),), tags=tags), exact_sources(denotation_match)
    assert scorer(question, replied("7", cited_rows=cited)) == exact
    assert scorer(question, replied("8", cited_rows=cited)) is None


def test_wrong_is_what_was_answered_and_is_not_right() -> None:
    question, wrong = asked(answers=["7"]), wrong_answer(denotation_match)
    said = [replied("7"), replied("8"), replied("Not found.", abstained=True), replied("", error="E: x")]
    assert [wrong(question, one) for one in said] == [0, 1, 0, 0]
    assert [denotation()(question, one) for one in said] == [1, 0, 0, 0]
