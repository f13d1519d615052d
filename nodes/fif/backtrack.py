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
from backtrail.state.fif.settings import FifSettings
from backtrail.state.fif.strategy_wording import strategy_of
from backtrail.state.hop import Hop, Route, Strategy, failed_routes, recorded, route_key
from backtrail.state.settings import Settings


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
        key = route_key(route["subquery"], route["anchors"], route["strategy"])
        if switches.backtracking and key in failed_routes(state["hops"]):
            reason = "The same subtask, anchors, scope, granularity and reasoning have failed before."
            return {"hops": [recorded(route, "refused", reason)], "hop": None}
        return {"hop": {"route": route, "documents": [], "components": [], "parents": {}}}

    return admit_route


def _route(proposal: Proposal, hops: list[Hop], switches: FifSettings) -> Route:
    anchor_step, anchors = _anchors(proposal, hops, switches)
    return {
        "step": len(hops),
        "subquery_id": proposal["subquery_id"],
        "subquery": proposal["subtask"],
        "anchor_step": anchor_step,
        "anchors": anchors,
        "strategy": _strategy(proposal, bool(anchors), switches),
        "why": proposal["why"],
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
    wanted = strategy_of(proposal["document_mode"], proposal["component_mode"], proposal["granularity"])
    local = anchored and (wanted["scope"] == "local" or not switches.global_hop)
    return {
        "scope": "local" if local else "global",
        "granularity": wanted["granularity"] if switches.granularity else "document",
        "reasoning": wanted["reasoning"] if switches.reasoning else "none",
    }
