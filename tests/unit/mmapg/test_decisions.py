"""What the decisions of MMAPG refuse, and how they say it."""

from typing import Any

import pytest

from backtrail.state.mmapg.examine_decisions import EXAMINE_TEXT, Examined, ExamineTextInputs, TextExamination
from backtrail.state.mmapg.planning_decisions import (
    PLAN,
    Choices,
    NextNodes,
    NodeView,
    PlanInputs,
)
from backtrail.state.mmapg.retrieval_decisions import (
    COMPILE,
    SPLIT,
    TEXT_QUERIES,
    Compiled,
    CompileInputs,
    FindingView,
    Split,
    SplitInputs,
    TextQueries,
    TextQueriesInputs,
)


def view(key: str, **changes: Any) -> NodeView:
    fields: dict[str, Any] = {
        "id": key, "type": "retrieval", "parents": ["n0"], "status": "found", "instruction": "x", "within": "corpus",
        "content": "y",
    }  # fmt: skip
    return NodeView(**{**fields, **changes})


NODES = [
    view("n0", type="question", status="asked", parents=[]),
    view("n1", links=3),
    view("n2", status="refused"),
    view("n3", status="nothing found"),
]


def problems(*nodes: dict[str, Any], given: list[NodeView] | None = None, **choices: bool) -> str:
    inputs = PlanInputs(
        question="Why?",
        overall_plan=[],
        nodes=given or NODES,
        turns_left=3,
        choices=Choices(**{"side_by_side": False, "links": True, "single_path": False, **choices}),
    )
    return " ".join(PLAN.check(inputs, NextNodes.model_validate({"nodes": list(nodes)})))


def grown(kind: str = "retrieval", parents: tuple[str, ...] = ("n0",), **fields: Any) -> dict[str, Any]:
    return {"type": kind, "parents": list(parents), "instruction": "look", **fields}


def test_any_earlier_node_may_be_a_parent_even_one_that_found_nothing() -> None:
    assert problems(grown(parents=("n0", "n1", "n3"))) == ""
    assert problems(grown("answer", ("n1",))) == ""
    assert problems({"type": "stop"}) == ""


@pytest.mark.parametrize("parent", ["n2", "n9"])
def test_refused_and_unknown_parents_are_named_with_those_offered(parent: str) -> None:
    said = problems(grown(parents=(parent,)))
    assert repr(parent) in said
    assert "['n0', 'n1', 'n3']" in said


def test_instruction_and_parents_are_needed() -> None:
    assert "needs an instruction" in problems(grown(instruction=" "))
    assert "at least one parent" in problems(grown(parents=()))


def test_links_need_a_parent_that_has_some() -> None:
    assert problems(grown(parents=("n1",), within="links")) == ""
    assert "['n1']" in problems(grown(parents=("n0",), within="links"))
    assert "switched off" in problems(grown(parents=("n1",), within="links"), links=False)


def test_several_nodes_only_where_that_is_allowed_and_never_with_a_stop() -> None:
    assert "exactly one node" in problems(grown(), grown("answer"))
    assert problems(grown(), grown("answer"), side_by_side=True) == ""
    assert "stands alone" in problems(grown(), {"type": "stop"}, side_by_side=True)


def test_on_a_single_path_retrievals_and_answers_take_turns() -> None:
    last_found = NODES[:2]
    assert problems(grown("answer", ("n1",)), given=last_found, single_path=True) == ""
    assert "comes a answer" in problems(grown("retrieval", ("n1",)), given=last_found, single_path=True)
    assert "only parent is the last node" in problems(grown("answer", ("n0",)), given=last_found, single_path=True)
    assert problems(grown("retrieval", ("n3",)), single_path=True) == ""


@pytest.mark.parametrize(
    ("split", "said"),
    [
        ({}, "Both parts are empty"),
        ({"image_part": "a poster"}, "but \"image_kind\" is 'none'"),
        ({"text_part": "x", "image_kind": "targeted"}, "but \"image_kind\" is 'targeted'"),
        ({"text_part": "x"}, ""),
    ],
)
def test_a_split_has_a_kind_where_it_has_an_image_part(split: dict[str, Any], said: str) -> None:
    found = " ".join(SPLIT.check(SplitInputs(instruction="i", parents=[]), Split(**split)))
    assert said in found
    assert bool(said) == bool(found)


def test_queries_are_phrases() -> None:
    found = TEXT_QUERIES.check(TextQueriesInputs(text_part="x"), TextQueries(queries=["ok", " ", "y" * 301]))
    assert len(found) == 2


def test_what_is_related_says_something() -> None:
    candidate = Examined(id="c", modality="text", title="t", entries=[], text="x")
    inputs = ExamineTextInputs(instruction="i", candidate=candidate)
    assert EXAMINE_TEXT.check(inputs, TextExamination(related=True))
    assert not EXAMINE_TEXT.check(inputs, TextExamination(related=False))


def test_a_compilation_names_findings_only_and_not_too_many() -> None:
    findings = [
        FindingView(component=key, document="d", title="t", modality="text", says="s") for key in ("a", "b", "c")
    ]
    inputs = CompileInputs(instruction="i", findings=findings, keep=2)
    assert not COMPILE.check(inputs, Compiled(found=True, content="x", sources=["a"]))
    wrong = Compiled(found=True, content="", sources=["a", "b", "z"], conflicts=["x" * 301])
    said = " ".join(COMPILE.check(inputs, wrong))
    assert "'z' is no finding" in said
    assert "At most 2" in said
    assert "301 characters" in said
    assert COMPILE.check(inputs, Compiled(found=True, content="x"))
    assert not COMPILE.check(inputs, Compiled(found=False))
