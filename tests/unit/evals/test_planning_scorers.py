"""What results keep of planning and searching, and what scorers make of it and of the effort."""

from typing import Any

import pytest
from fixtures.outcomes import asked

from backtrail.evals.outcome import Outcome, failed_outcome, outcome_of
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.actions import action_scorers, path_share
from backtrail.evals.scorers.effort import (
    kuiper,
    kuiper_statistic,
    right_after_one_search,
    right_within,
    wasted_effort,
)
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.planner import planner_scorers
from backtrail.evals.scorers.reformulation import query_bleu, query_f1, query_rouge
from backtrail.evals.scorers.searches import (
    failed_searches,
    search_count,
    search_scorers,
    search_seconds,
    search_seconds_in_paper,
)
from backtrail.evals.scorers.tokens import accuracy, f1, nltk_f1, token_accuracy
from backtrail.evals.summary import summarise
from backtrail.graphs.method import Method
from backtrail.graphs.methods import METHODS
from backtrail.state.usage import charge

ALL = (*action_scorers(), *search_scorers(), *planner_scorers(), query_bleu(), query_rouge(), query_f1())


def ended(**state: Any) -> Outcome:
    """The outcome of a run with these records, which plans as CogPlanner does."""
    method = Method(
        name="any", about="", page="", records=tuple(state), planners=METHODS["cogplanner"].planners | {"choose_path"}
    )
    return outcome_of("q", "", method, state, 1.0)


def search(kind: str, place: int, outcome: str = "found", seconds: float = 0.5, requests: int = 2) -> dict[str, Any]:
    return {
        "id": f"x@1.{place}", "round": 1, "kind": kind, "query": "?", "found": [], "requests": requests,
        "seconds": seconds, "outcome": outcome, "reason": "",
    }  # fmt: skip


def round_of(action: str, index: int = 1) -> dict[str, Any]:
    return {"index": index, "queries": ["?"], "action": action, "found": [], "why": ""}


def test_a_method_without_planning_keeps_nothing_and_scores_nowhere() -> None:
    outcome = ended(answer={"text": "Ada"}, usage={"answer@0": charge(calls=1, stage="model", seconds=2.0)})
    assert outcome.planned == Outcome(id="q", fingerprint="", seconds=1.0).planned
    assert {scorer(asked(tags={"queries": ["Who is it?"]}), outcome) for scorer in ALL} == {None}


def test_what_is_kept_survives_being_written_and_older_results_can_be_read() -> None:
    outcome = ended(rounds=[round_of("text search")], queries=["Who?"], searches=[search("text", 0)], path=None)
    assert outcome.trail["rounds"], "its trail goes into a file of its own"
    assert Outcome.model_validate_json(outcome.model_dump_json()) == outcome.model_copy(update={"trail": {}})
    assert Outcome.model_validate_json('{"id": "q", "fingerprint": "", "seconds": 1.0}').planned.actions is None


@pytest.mark.parametrize(("paradigm", "waited"), [("sequential", 3.5), ("parallel", 2.5)])
def test_one_waits_for_the_longer_of_two_decisions_side_by_side(paradigm: str, waited: float) -> None:
    def spent(seconds: float, tokens: int) -> Any:
        return charge(calls=1, input_tokens=tokens, output_tokens=1, stage="model", seconds=seconds)

    usage = {
        "reformulate@1": spent(1.0, 10), "route_search@1": spent(2.0, 20), "reformulate@2": spent(0.5, 5),
        "answer@0": spent(9.0, 900), "write_gold_query@0": spent(9.0, 900),
    }  # fmt: skip
    planned = ended(rounds=[], usage=usage, paradigm=paradigm).planned
    assert planned.planning.seconds == waited
    assert (planned.planning.calls, planned.planning.input_tokens, planned.planning.output_tokens) == (3, 35, 3)


def pairs(*actions: tuple[str, ...]) -> list[tuple[Question, Outcome]]:
    made = [ended(rounds=[round_of(action, place) for place, action in enumerate(each)]) for each in actions]
    return [(asked(), outcome) for outcome in made]


def test_shares_of_actions_are_of_all_rounds_not_of_questions() -> None:
    held = pairs(("text search", "text search", "text search"), ("no search",))
    held.append((asked(), failed_outcome("q", "", RuntimeError("boom"), 1.0)))
    scores = summarise("cogplanner", action_scorers(), held).scores
    assert scores["Action: text search"].mean == 0.75
    assert scores["Action: no search"].mean == 0.25
    assert scores["Action: image search"].mean == 0.0
    assert scores["Action: text search"].count == 2, "a failed question decided nothing"
    assert scores["Rounds"].mean == 2.0
    assert scores["Retrievals"].mean == 1.5


def test_actions_of_omnisearch_and_paths_of_the_vqa_planner_have_the_same_names() -> None:
    actions = ("search by picture", "search text", "search pictures", "final answer")
    outcome = ended(turns=[{"index": place, "action": action} for place, action in enumerate(actions)])
    assert outcome.planned.actions == ("image search", "text search", "image search", "no search")
    outcome = ended(path={"planned": "C", "option": "C", "category": "c2", "probabilities": {}, "why": ""})
    assert [path_share(path)(asked(), outcome) for path in ("c1", "c2", "c3", "c4")] == [0.0, 1.0, 0.0, 0.0]


def test_searches_of_each_kind_and_their_time() -> None:
    outcome = ended(searches=[search("text", 0), search("text", 1, seconds=0.25), search("image-by-picture", 2)])
    assert search_count("text")(asked(), outcome) == 2.0
    assert search_count("image-by-text")(asked(), outcome) == 0.0
    assert search_seconds("text")(asked(), outcome) == 0.75
    assert search_seconds("image-by-text")(asked(), outcome) is None, "no search, no time"
    assert search_seconds_in_paper()(asked(), outcome) == pytest.approx(2 * 1.4 + 6.4)
    assert search_count("text")(asked(), ended(searches=[])) == 0.0
    outcomes = [("text", "failed"), ("text", "found"), ("text", "refused"), ("image-by-picture", "failed")]
    failed = ended(searches=[search(kind, place, said) for place, (kind, said) in enumerate(outcomes)])
    assert (failed_searches()(asked(), failed), search_count("text")(asked(), failed)) == (2.0, 2.0)


@pytest.mark.parametrize("scorer", ALL)
def test_a_failed_question_planned_nothing(scorer: Scorer) -> None:
    assert scorer(asked(tags={"queries": ["?"]}), failed_outcome("q", "", RuntimeError("boom"), 1.0)) is None


@pytest.mark.parametrize(
    ("answer", "gold", "overlap", "placed"),
    [
        ("It is Leonardo DiCaprio", "Leonardo DiCaprio", 2 / 3, 0.0),
        ("Leonardo da Vinci", "Leonardo DiCaprio", 2 / 5, 1 / 2),
        ("没有孩子", "没有任何孩子", 4 * 2 / 10, 2 / 6),
    ],
)
def test_f1_ignores_places_and_accuracy_does_not(answer: str, gold: str, overlap: float, placed: float) -> None:
    assert f1(answer, gold) == pytest.approx(overlap)
    assert accuracy(answer, gold) == pytest.approx(placed)


def test_the_best_gold_answer_counts_and_an_abstention_does_not() -> None:
    question = asked(answers=("没有", "none at all"))
    assert nltk_f1()(question, ended(answer={"text": "None at all"})) == 1.0
    assert token_accuracy()(question, ended(answer={"text": "none", "abstained": False})) == pytest.approx(1 / 3)
    assert nltk_f1()(question, ended(answer={"text": "none at all", "abstained": True})) == 0.0
    assert token_accuracy()(asked(), ended(answer={"text": "none"})) is None


def test_queries_are_compared_with_those_that_people_wrote() -> None:
    assert query_bleu()(asked(), ended(rounds=[], queries=["Who?"])) is None
    question = asked(tags={"queries": ["How many children does Leonardo DiCaprio have?"]})
    same = ended(rounds=[], queries=["How many children does Leonardo DiCaprio have?"])
    near = ended(rounds=[], queries=["How many children does he have?"])
    parts = ended(rounds=[], queries=["How many children does", "Leonardo DiCaprio have?"])
    for make in (query_bleu, query_rouge, query_f1):
        exact, close = make()(question, same), make()(question, near)
        assert exact == pytest.approx(1.0) == make()(question, parts)
        assert 0.0 < close < 1.0


def test_how_a_planning_graph_grew_is_counted_and_other_methods_are_left_out() -> None:
    def node(step: int, kind: str, status: str, **more: Any) -> dict[str, Any]:
        blank = {"id": f"n{step}", "instruction": "", "content": "", "parents": [], "sources": [], "side": 0}
        return {**blank, "step": step, "kind": kind, "status": status, **more}

    nodes = [
        node(0, "question", "asked"),
        node(1, "retrieval", "nothing found"),
        node(2, "retrieval", "found", sources=["a#1"]),
        node(3, "answer", "answered"),
    ]
    outcome = ended(planning_graph=nodes)
    question = Question(id="q", question="Who?")
    assert {scorer.name: scorer(question, outcome) for scorer in growth_scorers()} == {
        "Turns": 3.0, "Dead branches": 1.0, "Recovered branches": 1.0,
    }  # fmt: skip
    other = ended()
    assert {scorer(question, other) for scorer in growth_scorers()} == {None}


QUESTION = Question(id="q", question="When?", answers=["1998"])


def outcome(answer: str = "1998", **known: Any) -> Outcome:
    return Outcome(id="q", fingerprint="", answer=answer, seconds=0.1, **known)


@pytest.mark.parametrize(
    ("scorer", "made", "expected"),
    [
        (right_after_one_search(), outcome(hops=1), 1),
        (right_after_one_search(), outcome("1999", hops=1), 0),
        (right_after_one_search(), outcome(ranking=("a",)), 1),  # a method that keeps no history searched once
        (right_within(2), outcome(calls=4), 0),
    ],
)
def test_what_was_right_by_then(scorer: Scorer, made: Outcome, expected: float | None) -> None:
    assert scorer(QUESTION, made) == expected


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([(1, True), (1, True), (5, False), (5, False)], 1.0),
        ([(1, True), (1, False), (5, True), (5, False)], 0.0),
    ],
)
def test_the_kuiper_statistic(outcomes: list[tuple[int, bool]], expected: float) -> None:
    assert kuiper_statistic(outcomes) == pytest.approx(expected)


def test_measures_of_all_questions() -> None:
    pairs = [(QUESTION, outcome(calls=2)), (QUESTION, outcome("1999", calls=6)), (QUESTION, outcome(calls=4))]
    assert wasted_effort().pool(pairs) == 2.0
    assert kuiper().pool(pairs) == pytest.approx(2 / 3)
    assert kuiper()(*pairs[0]) is not None
