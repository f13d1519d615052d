"""Admit or refuse: exact state updates of the node that enforces the ledger."""

from __future__ import annotations

from typing import Any

from backtrail.nodes.fif.backtrack import LADDER, backtrack

PROPOSAL = {
    "action": "search", "subquery_id": "q0", "subtask": "who designed it", "document_mode": "neighbors",
    "component_mode": "vector search", "anchor": 0, "anchor_documents": [], "granularity": "document", "why": "because",
}  # fmt: skip


def _hop(step: int, documents: list[str], **route: Any) -> dict[str, Any]:
    return {
        "step": step, "kind": "traverse", "subquery_id": "q0", "subquery": "bridges",
        "anchor_step": None, "anchors": [],
        "strategy": {"scope": "global", "granularity": "document", "reasoning": "none"},
        "documents": [{"id": key, "score": 0.5} for key in documents], "components": [], "outcome": "success",
        "reason": "", "why": "", "resolved": [], **route,
    }  # fmt: skip


def _admit(runtime: Any, hops: list[dict[str, Any]], settings: dict[str, Any] | None = None, **proposal: Any) -> Any:
    return backtrack()({"proposal": {**PROPOSAL, **proposal}, "hops": hops}, runtime(**(settings or {})))  # type: ignore[typeddict-item]


def test_the_documents_of_the_named_step_become_the_anchors(runtime: Any) -> None:
    writes = _admit(runtime, [_hop(0, ["a", "b"]), _hop(1, ["c"])])
    route = writes["hop"]["route"]
    assert (route["step"], route["anchor_step"], route["anchors"]) == (2, 0, ["a", "b"])
    assert route["strategy"] == {"scope": "local", "granularity": "document", "reasoning": "none"}
    assert "hops" not in writes
    assert _admit(runtime, [_hop(0, ["a", "b"])], anchor_documents=["b"])["hop"]["route"]["anchors"] == ["b"]


def test_a_failed_route_is_refused_and_recorded_and_a_finer_look_is_admitted(runtime: Any) -> None:
    hops = [_hop(0, ["a"]), _local(1, "document", "none")]
    writes = _admit(runtime, hops, subtask="Who designed it?")
    assert writes["hop"] is None
    assert [(hop["step"], hop["outcome"], hop["anchors"]) for hop in writes["hops"]] == [(2, "refused", ["a"])]
    assert _admit(runtime, hops, granularity="component")["hop"]["route"]


def test_switches_hold_the_strategy_at_its_plain_value(runtime: Any) -> None:
    off = {"fif": {"granularity": False, "reasoning": False, "global_hop": False}}
    writes = _admit(runtime, [_hop(0, ["a"])], off, document_mode="llm reasoning", granularity="subcomponent")
    assert writes["hop"]["route"]["strategy"] == {"scope": "local", "granularity": "document", "reasoning": "none"}


def _local(step: int, granularity: str, reasoning: str) -> dict[str, Any]:
    strategy = {"scope": "local", "granularity": granularity, "reasoning": reasoning}
    return _hop(
        step, ["x"], subquery="who designed it", anchors=["a"], anchor_step=0, outcome="failure", strategy=strategy
    )


def test_a_fused_run_climbs_from_the_same_anchors_before_it_searches_everywhere(runtime: Any) -> None:
    hops = [_hop(0, ["a"]), *(_local(1 + n, *rung) for n, rung in enumerate(LADDER[:-1]))]
    state: Any = {"proposal": {**PROPOSAL, "granularity": "component"}, "hops": hops, "fused": True}
    writes: Any = backtrack()(state, runtime())
    route = writes["hop"]["route"]
    assert (route["strategy"]["scope"], route["anchors"], route["anchor_step"]) == ("local", ["a"], 0)
    hops.append(_local(len(hops), *LADDER[-1]))
    writes = backtrack()(state, runtime())
    route = writes["hop"]["route"]
    assert (route["strategy"]["scope"], route["anchors"], route["anchor_step"]) == ("global", [], None)
    assert [hop["outcome"] for hop in writes["hops"]] == ["refused"]
    assert route["step"] == writes["hops"][0]["step"] + 1
