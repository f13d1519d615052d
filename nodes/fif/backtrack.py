"""backtrack: resolve the anchor of a proposed hop, and refuse a route that has failed before.

Failed routes are refused here, whatever the orchestrator proposes (ours; the method's published prompts only ask for
it).
"""

from __future__ import annotations

from typing import NotRequired

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.fif.memory import HopInProgress, Proposal
from backtrail.state.fif.settings import FifSettings
from backtrail.state.fif.strategy_wording import strategy_of
from backtrail.state.hop import (
    Granularity,
    Hop,
    Reasoning,
    Route,
    Scope,
    Strategy,
    failed_routes,
    hop_record,
    route_key,
)
from backtrail.state.settings import Settings

REFUSED = "The same subtask, anchors, scope, granularity and reasoning have failed before."
LADDER: tuple[tuple[Granularity, Reasoning], ...] = (
    ("component", "none"),
    ("subcomponent", "none"),
    ("subcomponent", "component"),
    ("subcomponent", "both"),
)
"""Strategies to try after a refused route, cheapest first."""


class BacktrackSlice(TypedDict):
    """The proposal, and the history to check it against."""

    proposal: Proposal
    hops: list[Hop]
    fused: NotRequired[bool]


class BacktrackWrites(TypedDict, total=False):
    """The admitted route, or a record of the refusal."""

    hop: HopInProgress | None
    hops: list[Hop]


def backtrack() -> SyncNode[BacktrackSlice, BacktrackWrites]:
    """Node: admit or refuse the proposed route."""

    def admit_route(state: BacktrackSlice, runtime: Runtime[Settings]) -> BacktrackWrites:
        switches = settings_of(runtime).fif
        route = _route(state["proposal"], state["hops"], switches)
        key = route_key(route["subquery"], route["anchors"], route["strategy"])
        failed = failed_routes(state["hops"])
        if not switches.backtracking or key not in failed:
            return {"hop": _begun(route)}
        refused = hop_record(route, "refused", REFUSED)
        climbed = _climbed(route, failed, switches) if state.get("fused") else None
        if climbed is None:
            return {"hops": [refused], "hop": None}
        return {"hops": [refused], "hop": _begun(climbed)}

    return admit_route


def _begun(route: Route) -> HopInProgress:
    return {"route": route, "documents": [], "components": [], "parents": {}}


def _climbed(route: Route, failed: set[tuple[str, ...]], switches: FifSettings) -> Route | None:
    """Return the next costlier route that has not failed: finer, then wider, then global (ours).

    A refusal leaves no judgement to make, so no call is made for it.
    """
    scopes: list[Scope] = ["local", "global"] if route["strategy"]["scope"] == "local" else ["global"]
    for scope in scopes[: None if switches.global_hop else 1]:
        for granularity, reasoning in LADDER:
            anchors = route["anchors"] if scope == "local" else []
            strategy = _strategy({"scope": scope, "granularity": granularity, "reasoning": reasoning}, True, switches)
            if route_key(route["subquery"], anchors, strategy) not in failed:
                step = route["anchor_step"] if anchors else None
                why = f"That route has failed; the next one up. {route['why']}".strip()
                return {
                    **route, "step": route["step"] + 1, "anchors": anchors, "anchor_step": step,
                    "strategy": strategy, "why": why,
                }  # fmt: skip
    return None


def _route(proposal: Proposal, hops: list[Hop], switches: FifSettings) -> Route:
    strategy = proposal.get("strategy")
    anchor_step, anchors = (
        _anchors(proposal, hops, switches) if strategy is None else _started(proposal, hops, switches)
    )
    return {
        "step": len(hops),
        "subquery_id": proposal["subquery_id"],
        "subquery": proposal["subtask"],
        "anchor_step": anchor_step,
        "anchors": anchors,
        "strategy": _strategy(strategy or _named(proposal), bool(anchors), switches),
        "why": proposal["why"],
    }


def _anchors(proposal: Proposal, hops: list[Hop], switches: FifSettings) -> tuple[int | None, list[str]]:
    """Return the documents to start from: those of the named step, or of the last one that found any."""
    found = {hop["step"]: [scored["id"] for scored in hop["documents"]] for hop in hops if hop["documents"]}
    if not found:
        return None, []
    step = proposal["anchor"]
    starts = step is not None or proposal["document_mode"] == "neighbors" or not switches.global_hop
    if starts and (step is None or not switches.backtracking):
        # Without backtracking (ablation) the run can only continue from its last step.
        step = max(found)
    if step is None or step not in found:
        return None, []
    chosen = [document for document in found[step] if document in proposal["anchor_documents"]]
    return step, chosen or found[step]


def _started(proposal: Proposal, hops: list[Hop], switches: FifSettings) -> tuple[int | None, list[str]]:
    """Return the named documents and the latest step with one; for a local hop else the last ones found."""
    found = {hop["step"]: [scored["id"] for scored in hop["documents"]] for hop in hops if hop["documents"]}
    local = proposal["document_mode"] == "neighbors" or not switches.global_hop
    if not found or not (local or proposal["anchor_documents"]):
        return None, []
    if not proposal["anchor_documents"] or not switches.backtracking:
        return max(found), found[max(found)]
    steps = [step for step, documents in found.items() if set(documents) & set(proposal["anchor_documents"])]
    return max(steps, default=None), proposal["anchor_documents"]


def _named(proposal: Proposal) -> Strategy:
    return strategy_of(proposal["document_mode"], proposal["component_mode"], proposal["granularity"])


def _strategy(wanted: Strategy, anchored: bool, switches: FifSettings) -> Strategy:
    """Return the strategy, with ablated dimensions at their default."""
    local = anchored and (wanted["scope"] == "local" or not switches.global_hop)
    return {
        "scope": "local" if local else "global",
        "granularity": wanted["granularity"] if switches.granularity else "document",
        "reasoning": wanted["reasoning"] if switches.reasoning else "none",
    }
