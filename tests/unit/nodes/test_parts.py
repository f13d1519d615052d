"""Each part of a question is searched for itself, in any order; what defines a thing or is found for a part ranks."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from hypothesis import given
from hypothesis import strategies as st

from backtrail.graphs.methods import find_method
from backtrail.ingest.pipeline import ingest
from backtrail.nodes.fif.rerank import filled_up, rerank
from backtrail.nodes.fif.search_question_parts import parts_of, with_parts
from backtrail.nodes.fif.subquery_coverage import askable
from backtrail.state.decompose_decisions import (
    DECOMPOSE,
    DecomposeInputs,
    Plan,
    PlannedSubquery,
    earlier_only,
    in_order,
)
from backtrail.state.hop import Scored
from backtrail.state.mmapg.planning_decisions import OVERALL_PLAN, KeyPart, OverallPlan, OverallPlanInputs
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox


def test_parts_are_subqueries_and_sentences_that_say_something_but_not_all() -> None:
    question = "The bridge over the Wien was opened in 1909. Who drew it? Really?"
    assert parts_of(question, [question]) == ["The bridge over the Wien was opened in 1909."]
    assert parts_of("Who designed the Urania bridge?", ["Who designed the Urania bridge?"]) == []
    asked = ["Who designed the Urania bridge?", "Which line does the Reichsbrücke carry?"]
    assert parts_of("Who designed the Urania bridge, and which line does the Reichsbrücke carry?", asked) == asked


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        ([], "abcdefgh"),
        (["b"], "abcdefgh"),
        (["x"], "abcdefxg"),
        (["x", "y", "z"], "abcdefxy"),
        (["h", "x"], "abcdefhx"),
        (["g", "g"], "abcdefgh"),
    ],
)
def test_the_finds_of_parts_take_the_last_places_and_no_others(best: list[str], expected: str) -> None:
    ranked = [{"id": key, "score": 1.0 - place / 10} for place, key in enumerate("abcdefgh")]
    placed = with_parts(ranked, best, 8)  # type: ignore[arg-type]
    assert "".join(scored["id"] for scored in placed) == expected
    assert [scored["score"] for scored in placed] == sorted((scored["score"] for scored in placed), reverse=True)


def scored(**scores: float) -> list[Scored]:
    return [{"id": name, "score": score} for name, score in scores.items()]


def test_what_the_reranker_left_out_follows_what_it_chose() -> None:
    filled = filled_up(scored(c=0.9, a=0.4), scored(a=2.0, b=1.0, c=0.5, d=0.0))
    assert filled == scored(c=0.9, a=0.4, b=0.2, d=0.0)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.floats(0, 1), min_size=1),
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 9)),
)
def test_the_chosen_stay_first_and_nothing_scores_above_them(chosen: dict[str, float], held: dict[str, float]) -> None:
    filled = filled_up(scored(**chosen), scored(**held))
    assert [one["id"] for one in filled[: len(chosen)]] == list(chosen)
    assert {one["id"] for one in filled} == {*chosen, *held}
    assert all(one["score"] <= min(chosen.values()) for one in filled[len(chosen) :])


async def _ranked(toolbox: Toolbox, runtime: Any, **given: Any) -> tuple[list[str], dict[str, Any]]:
    question = "Who designed the bridge of Vienna opened in 1909? And which bridge carries an underground line?"
    subqueries = [{"id": f"q{n}", "text": text} for n, text in enumerate(question.replace("And ", "").split("? "))]
    held = {key: {"component": key, "score": 0.1} for key in ("lamps#p0", "bridges#t", "urania#p0", "malone#p0")}
    state: Any = {"question": question, "subqueries": subqueries, "evidence": held, "usage": {}}
    writes = await rerank(toolbox)(state, runtime(k=5, **given))
    return [scored["id"] for scored in writes["ranking"]], writes.get("evidence", {})


async def test_what_one_part_finds_is_ranked_with_the_search_that_found_it(toolbox: Toolbox, runtime: Any) -> None:
    ranking, evidence = await _ranked(toolbox, runtime)
    assert "reich#p0" in ranking
    assert evidence["reich#p0"]["document"] == "reich"


QUESTION = "Who designed the bridge of Vienna that was opened in 1909?"
BRIDGE = "the bridge of Vienna opened in 1909"


def subquery(key: str, text: str, *needs: str, answer: str = "") -> Subquery:
    return {
        "id": key, "text": text, "depends_on": list(needs), "status": "answered" if answer else "open",
        "answer": answer, "answered_by": None, "planned_at": 0,
    }  # fmt: skip


def test_one_that_waits_for_another_is_judged_by_the_whole_question() -> None:
    designer = subquery("q1", "Who designed the old bridge of Vienna?", "q0")
    assert askable(QUESTION, [subquery("q0", BRIDGE), designer]) == {"q0": BRIDGE}
    assert askable(QUESTION, [subquery("q0", BRIDGE, answer="Urania"), designer]) == {}


def test_the_question_itself_and_a_few_words_are_not_judged_apart() -> None:
    assert askable(QUESTION, [subquery("q0", QUESTION), subquery("q1", "the designer"), subquery("q2", "")]) == {}


DEFINING = "Orrin is a tool that finds races between the threads of a program, and is run like the other tools."
NAMING = "<h2>Step {0}</h2><p>Orrin shows step {0}.</p>"


@pytest.mark.parametrize(("question", "found"), [("What is Orrin?", True), ("What does Orrin show?", False)])
async def test_what_defines_the_thing_is_ranked(question: str, found: bool, tmp_path: Path) -> None:
    steps = "".join(NAMING.format(number) for number in range(40))
    (tmp_path / "manual.html").write_text(f"<title>Manual</title>{steps}<h2>Overview</h2><p>{DEFINING}</p>")
    ingest([tmp_path / "manual.html"], "tools", embedder="hashed", opened=HashedEmbedder())
    corpus = open_corpus("tools", embedder=HashedEmbedder())
    graph = find_method("fif").build(Toolbox(open_corpus=lambda name: corpus)).compile()
    values: Any = await graph.ainvoke({"question": question}, context=Settings(corpus="tools"))
    texts = [component.text for component in corpus.components([one["id"] for one in values["ranking"]]).values()]
    assert (DEFINING in texts) is found
    assert (values["answer"]["text"] == DEFINING) is found


def test_a_subquery_comes_after_what_it_waits_for() -> None:
    said = [PlannedSubquery(text="born", depends_on=[1, 1]), PlannedSubquery(text="designer", depends_on=[1, 7, -1])]
    settled = DECOMPOSE.normalize(DecomposeInputs(question="?"), Plan(subqueries=said))
    assert [(one.text, one.depends_on) for one in settled.subqueries] == [("designer", []), ("born", [0])]


def test_parts_that_wait_for_each_other_are_asked_for_again() -> None:
    said = Plan(subqueries=[PlannedSubquery(text="One?", depends_on=[1]), PlannedSubquery(text="Two?", depends_on=[0])])
    settled = DECOMPOSE.normalize(DecomposeInputs(question="?"), said)
    assert settled == said
    assert earlier_only(DecomposeInputs(question="?"), settled) == [
        "Subquery 0 depends on 1, which comes after it; they wait for each other."
    ]


def test_an_overall_plan_is_put_in_order_too() -> None:
    said = OverallPlan(components=[KeyPart(text="born", needs=[1]), KeyPart(text="designer", needs=[1])])
    settled = OVERALL_PLAN.normalize(OverallPlanInputs(question="?"), said)
    assert [(one.text, one.needs) for one in settled.components] == [("designer", []), ("born", [0])]
    circle = OverallPlan(components=[KeyPart(text="a", needs=[1]), KeyPart(text="b", needs=[0])])
    [problem] = OVERALL_PLAN.check(OverallPlanInputs(question="?"), circle)
    assert "they wait for each other" in problem


@given(st.lists(st.lists(st.integers(-2, 7), max_size=4), min_size=1, max_size=6))
def test_nothing_is_lost_and_only_circles_look_ahead(needs: list[list[int]]) -> None:
    order, renumbered = in_order(needs)
    assert sorted(order) == list(range(len(needs)))
    for place, (part, needed) in enumerate(zip(order, renumbered, strict=True)):
        assert {order[other] for other in needed} == {n for n in needs[part] if 0 <= n < len(needs) and n != part}
        assert place not in needed
    if all(other < i for i, each in enumerate(needs) for other in each):
        assert order == list(range(len(needs)))
    assert any(other > place for place, needed in enumerate(renumbered) for other in needed) == goes_round(renumbered)


def goes_round(needs: list[list[int]]) -> bool:
    try:
        TopologicalSorter({i: set(each) for i, each in enumerate(needs)}).prepare()
    except CycleError:
        return True
    return False
