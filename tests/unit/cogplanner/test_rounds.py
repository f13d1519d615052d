"""The nodes around a round, each with exactly what it writes."""

from typing import Any

from langgraph.runtime import Runtime

from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.cogplanner.dispatch import dispatch
from backtrail.nodes.rank_all_evidence import rank_all_evidence
from backtrail.state.cogplanner.memory import Round, current_queries, merge_rounds
from backtrail.state.cogplanner.settings import CogPlannerSettings
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

RUNTIME: Any = Runtime(context=Settings())


def a_round(index: int, *found: str, action: str = "text search") -> Round:
    return {"index": index, "queries": [f"q{index}"], "action": action, "found": list(found), "why": ""}  # type: ignore[typeddict-item]


def a_search(index: int, *found: str, round_: int = 1, kind: str = "text", query: str = "q") -> SearchRecord:
    return {
        "id": f"search_text@{round_}.{index}", "round": round_, "kind": kind, "query": query, "found": list(found),
        "requests": 1, "seconds": 0.1, "outcome": "found", "reason": "",
    }  # type: ignore[typeddict-item]  # fmt: skip


def decided(action: str, queries: list[str], **state: Any) -> Any:
    return {
        "question": "Who built it?", "image": None, "rounds": [], "searches": [],
        "reformulation": {"round": 1, "queries": queries, "valid": True, "why": "split"},
        "routing": {"round": 1, "action": action, "valid": True, "why": "facts"},
        **state,
    }  # fmt: skip


def test_no_search_keeps_the_queries_and_ends_planning() -> None:
    writes = dispatch()(decided("no search", ["a", "b"]), RUNTIME)
    assert (writes["tasks"], writes["queries"], writes["stop_reason"]) == ([], ["a", "b"], "no search")


def test_failed_searches_are_not_repeated_either() -> None:
    failed = {**a_search(0, query="a"), "outcome": "failed"}
    state = decided("text search", ["a", "b"], rounds=[a_round(1)], searches=[failed])
    writes = dispatch()(state, RUNTIME)
    assert [one["query"] for one in writes["tasks"]] == ["b"]
    assert [(one["query"], one["outcome"]) for one in writes["searches"]] == [("a", "refused")]
    assert "ended as failed" in writes["searches"][0]["reason"]


def test_equal_places_are_ranked_by_what_they_say_of_the_question() -> None:
    evidence = {"a": {"coverage": 0.2}, "b": {"coverage": 0.9}, "c": {"coverage": 0.1}}
    state: Any = {"searches": [a_search(0, "a", "c"), a_search(1, "b", "c")], "evidence": evidence}
    assert [one["id"] for one in rank_all_evidence()(state, RUNTIME)["ranking"]] == ["c", "b", "a"]


def test_the_generator_reads_at_most_as_many_elements_as_the_setting_says() -> None:
    evidence = {key: {"coverage": 0.0} for key in "abcd"}
    state: Any = {"searches": [a_search(0, *"abcd")], "evidence": evidence}
    runtime: Any = Runtime(context=Settings(cogplanner=CogPlannerSettings(elements=2)))
    assert [one["id"] for one in rank_all_evidence()(state, runtime)["ranking"]] == ["a", "b"]


def test_a_picture_that_is_not_held_is_taken_away_with_a_reason() -> None:
    writes = check_picture(Toolbox())({"image": "0" * 64}, RUNTIME)
    assert writes["image"] is None
    (failure,) = writes["failures"]
    assert failure["error"] == "PictureMissing"
    assert "--image FILE" in failure["message"]
    assert failure["message"].endswith("answered without it.")


def test_rounds_merge_by_their_number() -> None:
    once = merge_rounds([], [a_round(1), a_round(2)])
    assert merge_rounds(once, [a_round(2), a_round(1)]) == once
    assert merge_rounds(once, [a_round(2, "x")])[1]["found"] == ["x"]
    assert current_queries(once, "Q") == ["q2"]
    assert current_queries([], "Q") == ["Q"]
