"""backtrack: resolve the anchor of a proposed hop, and refuse a route that has failed before.

The failed-route ledger is enforced here, whatever the orchestrator proposed (ours; the method's
published prompts only ask for it).
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of
from backtrail.nodes.node import SyncNode
from backtrail.state.fif.memory import HopInProgress, Proposal
from backtrail.state.hop import Hop, Reasoning, Strategy, failed_routes, route_key
from backtrail.state.settings import FifSettings, Settings


class BacktrackSlice(TypedDict):
    """The proposal, and the history it is held against."""

    proposal: Proposal
    hops: list[Hop]


class BacktrackWrites(TypedDict, total=False):
    """The admitted route, or the refusal as a record of its own."""

    hop: HopInProgress | None
    hops: list[Hop]


def backtrack() -> SyncNode[BacktrackSlice, BacktrackWrites]:
    """Node: admit or refuse the proposed route."""

    def admit_route(state: BacktrackSlice, runtime: Runtime[Settings]) -> BacktrackWrites:
        switches = settings_of(runtime).fif
        route = _route(state["proposal"], state["hops"], switches)
        assert route["strategy"] is not None  # a traverse route always has one
        key = route_key(route["subquery"], route["anchors"], route["strategy"])
        if switches.backtracking and key in failed_routes(state["hops"]):
            refused: Hop = {
                **route,
                "outcome": "refused",
                "reason": "The same subtask, anchors, scope, granularity and reasoning have failed before.",
            }
            return {"hops": [refused], "hop": None}
        return {"hop": {"route": route, "documents": [], "components": [], "parents": {}}}

    return admit_route


def _route(proposal: Proposal, hops: list[Hop], switches: FifSettings) -> Hop:
    anchor_step, anchors = _anchors(proposal, hops, switches)
    strategy = _strategy(proposal, bool(anchors), switches)
    return {
        "step": len(hops),
        "kind": "traverse",
        "subquery_id": proposal["subquery_id"],
        "subquery": proposal["subtask"],
        "anchor_step": anchor_step,
        "anchors": anchors,
        "strategy": strategy,
        "documents": [],
        "components": [],
        "outcome": "failure",
        "reason": "",
        "why": proposal["why"],
        "resolved": [],
    }


def _anchors(proposal: Proposal, hops: list[Hop], switches: FifSettings) -> tuple[int | None, list[str]]:
    """Documents the hop starts from: those of the named step, or of the last one that found any."""
    found = {hop["step"]: [scored["id"] for scored in hop["documents"]] for hop in hops if hop["documents"]}
    if not found:
        return None, []
    step = proposal["anchor"]
    starts = step is not None or proposal["document_mode"] == "neighbors" or not switches.global_hop
    if starts and (step is None or not switches.backtracking):
        # Without backtracking (ablation) the run can only go on from where it is.
        step = max(found)
    if step is None or step not in found:
        return None, []
    chosen = [document for document in found[step] if document in proposal["anchor_documents"]]
    return step, chosen or found[step]


def _strategy(proposal: Proposal, anchored: bool, switches: FifSettings) -> Strategy:
    """The strategy tuple, with ablated dimensions held at their plain value."""
    local = anchored and (proposal["document_mode"] == "neighbors" or not switches.global_hop)
    reasoning: Reasoning = "none"
    if proposal["document_mode"] == "llm reasoning":
        reasoning = "both"
    elif proposal["component_mode"] == "llm reasoning":
        reasoning = "component"
    return {
        "scope": "local" if local else "global",
        "granularity": proposal["granularity"] if switches.granularity else "document",  # type: ignore[typeddict-item]
        "reasoning": reasoning if switches.reasoning else "none",
    }
