"""The offline orchestrator: cheap first, escalate on failure, go back, never the same failed route."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.rules.fif.orchestrate import orchestrate
from backtrail.state.fif.memory_views import DocumentView, FoundView, HopView, SubqueryView
from backtrail.state.fif.orchestrate_decisions import ORCHESTRATE, Action, Allowed, OrchestrateInputs

EVERYTHING = Allowed(backtracking=True, reasoning=True, global_hop=True, granularity=True, planner=True)
QUESTION = "Who designed the bridge that crosses the river of Vienna?"


def _found(document: str, coverage: float, links: int = 3, names: tuple[str, ...] = ()) -> FoundView:
    return FoundView(
        id=f"{document}#p1", document=document, title=document.title(), modality="text", snippet="", similarity=0.5,
        coverage=coverage, links=links, names=list(names),
    )  # fmt: skip


def _hop(step: int, action: Action, outcome: str, found: list[FoundView], kind: str = "traverse") -> HopView:
    search = kind == "traverse"
    return HopView(
        step=step, kind=kind, subquery_id=action.subquery_id, subquery=action.subtask, anchor_step=action.anchor,
        anchors=action.anchor_documents, document_mode=action.document_mode if search else None,
        component_mode=action.component_mode if search else None, outcome=outcome, reason="",
        granularity=action.granularity if search else None, found=found,
        documents=[DocumentView(id=one.document, title=one.title) for one in found],
    )  # fmt: skip


def _inputs(memory: list[HopView], allowed: Allowed = EVERYTHING, status: str = "open") -> OrchestrateInputs:
    subqueries = [SubqueryView(id="q0", text="the bridge that crosses the river of Vienna", status=status)]  # type: ignore[arg-type]
    subqueries.append(SubqueryView(id="q1", text="Who designed the bridge?", status=status))  # type: ignore[arg-type]
    return OrchestrateInputs(
        question=QUESTION, subqueries=subqueries, memory=memory, neighbours=[], steps_left=10, allowed=allowed
    )


def test_it_starts_with_the_cheapest_global_search_for_the_fused_question() -> None:
    action = orchestrate(_inputs([]))
    assert (action.action, action.document_mode, action.component_mode, action.granularity, action.anchor) == (
        "search", "vector search", "vector search", "document", None,
    )  # fmt: skip
    assert action.subtask == QUESTION


def test_it_stops_when_every_subquery_is_answered() -> None:
    assert orchestrate(_inputs([], status="answered")).action == "stop"


def test_a_failure_escalates_one_rung() -> None:
    first = orchestrate(_inputs([]))
    second = orchestrate(_inputs([_hop(0, first, "failure", [_found("a", 0.1)])]))
    assert (second.document_mode, second.granularity) == ("vector search", "component")


def test_a_neighbourhood_that_failed_on_every_rung_is_left_for_a_global_search_then_another_anchor() -> None:
    memory = [_hop(0, orchestrate(_inputs([])), "success", [_found("a", 0.6), _found("b", 0.5)])]
    for _ in range(2):
        action = orchestrate(_inputs(memory))
        assert action.anchor_documents == ["a"]
        memory.append(_hop(len(memory), action, "failure", [_found("x", 0.1, links=0)]))
    escape = orchestrate(_inputs(memory))
    assert (escape.document_mode, escape.granularity) == ("vector search", "component")
    memory.append(_hop(len(memory), escape, "failure", [_found("y", 0.1, links=0)]))
    back = orchestrate(_inputs(memory))
    assert (back.document_mode, back.anchor, back.anchor_documents) == ("neighbors", 0, ["b"])
    assert "Back to step 0" in back.why


@pytest.mark.parametrize("switch", ["backtracking", "reasoning", "global_hop", "granularity", "planner"])
def test_what_is_switched_off_is_never_proposed(switch: str) -> None:
    allowed = EVERYTHING.model_copy(update={switch: False})
    memory: list[HopView] = []
    for _ in range(30):
        inputs = _inputs(memory, allowed)
        action = orchestrate(inputs)
        assert ORCHESTRATE.check(inputs, action) == []
        if action.action == "stop":
            break
        kind = "plan" if action.action == "replan" else "traverse"
        memory.append(_hop(len(memory), action, "failure", [_found(f"d{len(memory)}", 0.5)], kind))
    kinds = {hop.kind for hop in memory}
    assert not (switch == "planner" and "plan" in kinds)
    if switch == "reasoning":
        assert all(hop.component_mode == "vector search" for hop in memory if hop.kind == "traverse")
    if switch == "granularity":
        assert {hop.granularity for hop in memory if hop.kind == "traverse"} == {"document"}
    if switch == "backtracking":
        anchored = [hop for hop in memory if hop.anchor_step is not None]
        assert all(hop.anchor_step == hop.step - 1 for hop in anchored)


outcomes = st.lists(
    st.tuples(st.sampled_from(["success", "failure"]), st.floats(0, 1), st.integers(0, 5), st.sampled_from("abcdef")),
    min_size=40, max_size=40,
)  # fmt: skip


@given(outcomes)
def test_it_ends_and_never_repeats_a_failed_route(drawn: list[tuple[str, float, int, str]]) -> None:
    memory: list[HopView] = []
    failed: set[tuple[object, ...]] = set()
    for outcome, coverage, links, document in drawn:
        action = orchestrate(_inputs(memory))
        if action.action == "stop":
            return
        route = (
            action.subtask, tuple(action.anchor_documents),
            action.document_mode, action.component_mode, action.granularity,
        )  # fmt: skip
        if action.action == "search":
            assert route not in failed
            if outcome == "failure":
                failed.add(route)
        kind = "plan" if action.action == "replan" else "traverse"
        memory.append(_hop(len(memory), action, outcome, [_found(document, coverage, links)], kind))
    raise AssertionError("The orchestrator found no end in 40 steps.")


def _spent_neighbourhood(names: tuple[str, ...]) -> list[HopView]:
    """A page that fits, whose links have led nowhere on either rung."""
    first = orchestrate(_inputs([]))
    memory = [_hop(0, first, "success", [_found("a", 0.6, names=names)])]
    for step in (1, 2):
        local = orchestrate(_inputs(memory))
        assert (local.document_mode, local.anchor_documents) == ("neighbors", ["a"])
        memory.append(_hop(step, local, "failure", [_found("b", 0.1, links=0, names=("Graz",))]))
    return memory


def test_names_of_a_page_whose_links_led_nowhere_are_looked_up_from_its_own_step() -> None:
    memory = _spent_neighbourhood(("Linz", "Steyr"))
    lead = orchestrate(_inputs(memory))
    assert (lead.document_mode, lead.anchor, lead.anchor_documents) == ("vector search", 0, ["a"])
    assert lead.subtask == f"{QUESTION} Linz"
    assert ORCHESTRATE.check(_inputs(memory), lead) == []
    second = orchestrate(_inputs([*memory, _hop(3, lead, "failure", [_found("c", 0.1, links=0)])]))
    assert second.subtask == f"{QUESTION} Steyr"
