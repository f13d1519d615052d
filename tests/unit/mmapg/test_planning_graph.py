"""The planning graph stays one, whatever is planned, found and replayed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.mmapg.admit import admit
from backtrail.nodes.mmapg.ask import ask
from backtrail.state.mmapg.planning_graph import (
    PlanningNode,
    broken_invariants,
    dead_branches,
    is_dead,
    last_answer,
    merge_planning_nodes,
    recovered_branches,
    retrieval_key,
    root_node,
)
from backtrail.state.settings import Settings

KINDS = st.sampled_from(["question", "retrieval", "answer", "stop"])
TEXTS = st.sampled_from(["capital of Palver", "Palver capital", "the river", "Capital, of Palver!", "a bridge"])
PROPOSALS = st.lists(
    st.tuples(KINDS, st.lists(st.integers(0, 30), min_size=1, max_size=3), TEXTS, st.booleans(), st.booleans()),
    min_size=1,
    max_size=3,
)
RUNS = st.lists(PROPOSALS, max_size=8)


class FakeRuntime:
    context = Settings()


def carried_out(node: PlanningNode, lucky: bool) -> PlanningNode:
    """What the executors write."""
    if node["kind"] == "question":
        return ask()({"node": node}, FakeRuntime())["planning_graph"][0]  # type: ignore[arg-type]
    if not lucky:
        return {**node, "content": "Nothing found."}
    status = "found" if node["kind"] == "retrieval" else "answered"
    return {**node, "status": status, "sources": ["c1"], "content": "It is so."}  # type: ignore[typeddict-item]


def grow(run: list[Any], replay: bool = False) -> list[PlanningNode]:
    """A graph grown by a planner that proposes anything, as the machine grows it."""
    nodes = merge_planning_nodes([], [root_node("Why?")])
    for turn in run:
        known = [node["id"] for node in nodes if node["kind"] != "stop"]
        proposed: Any = [
            {
                "kind": kind, "parents": list(dict.fromkeys(known[place % len(known)] for place in parents)),
                "instruction": text, "within": "links" if linked else "corpus", "why": "",
            }
            for kind, parents, text, linked, _ in turn
        ]  # fmt: skip
        state: Any = {"proposed": proposed, "planning_graph": nodes, "stop_reason": ""}
        writes = admit()(state, FakeRuntime())  # type: ignore[arg-type]
        luck = {text: lucky for _, _, text, _, lucky in turn}
        done = [carried_out(node, luck[node["instruction"]]) for node in writes["admitted"]]
        for new in [writes["planning_graph"], *([one] for one in done)]:
            nodes = merge_planning_nodes(nodes, new)
            if replay:
                nodes = merge_planning_nodes(nodes, new)
    return nodes


@given(RUNS)
def test_no_invariant_breaks_and_a_replayed_step_changes_nothing(run: list[Any]) -> None:
    nodes = grow(run)
    assert broken_invariants(nodes) == []
    assert all(node["content"] for node in nodes)
    assert all((one["status"] == "found") == bool(one["sources"]) for one in nodes if one["kind"] == "retrieval")
    assert grow(run, replay=True) == nodes


@given(RUNS)
def test_no_retrieval_is_made_twice_from_the_same_live_parents(run: list[Any]) -> None:
    nodes = grow(run)
    dead_since = {node["id"]: is_dead(node) for node in nodes}
    made = [
        retrieval_key(node["instruction"], [p for p in node["parents"] if not dead_since[p]], node["within"])
        for node in nodes
        if node["kind"] == "retrieval" and node["status"] != "refused"
    ]
    assert len(made) == len(set(made))


def node(key: str, **changes: Any) -> PlanningNode:
    made: Any = {
        "id": key, "kind": "retrieval", "step": int(key[1:]), "parents": ["n0"], "instruction": "x", "within": "corpus",
        "content": "found it", "sources": ["c1"], "status": "found", "why": "",
    }  # fmt: skip
    return made | changes


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"parents": ["n9"]}, "unknown parent n9"),
        ({"parents": ["n1"]}, "n1 of step 1 has the parent n1"),
        ({"parents": []}, "the question alone"),
        ({"sources": []}, "'found' with 0 sources"),
        ({"status": "nothing found"}, "'nothing found' with 1 sources"),
        ({"status": "answered"}, "status 'answered'"),
        ({"content": " "}, "does not say"),
    ],
)
def test_a_graph_that_is_none_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        merge_planning_nodes([root_node("Why?")], [node("n1", **changes)])


def test_branches_are_recovered_from_when_an_answer_comes_after_them() -> None:
    dead = node("n1", status="nothing found", sources=[])
    answer = node("n2", kind="answer", status="answered")
    late = node("n3", status="refused", sources=[])
    nodes = [root_node("Why?"), dead, answer, late]
    assert [one["id"] for one in dead_branches(nodes)] == ["n1", "n3"]
    assert [one["id"] for one in recovered_branches(nodes)] == ["n1"]
    assert recovered_branches(nodes[:2]) == []


def test_the_last_answer_is_the_last_that_answers() -> None:
    first = node("n1", kind="answer", status="answered")
    second = node("n2", kind="answer", status="unanswered", sources=[])
    assert last_answer([root_node("Why?"), first, second]) == first
    assert last_answer([root_node("Why?"), second]) == second
    assert last_answer([root_node("Why?")]) is None
