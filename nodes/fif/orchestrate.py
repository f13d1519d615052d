"""orchestrate: read the whole memory, propose one action (FiF section 4.3).

Ours: rules take this decision. Without a model they take every one; with a model they open the search, which costs
nothing, and then pass to the fused decision.
"""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.memory_views import hop_views, neighbour_titles, subquery_views
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.budget import exceeded
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.memory import Proposal
from backtrail.state.fif.orchestrate_decisions import ORCHESTRATE, Action, Allowed, OrchestrateInputs
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Hop
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class OrchestrateSlice(TypedDict):
    """The whole memory."""

    question: str
    subqueries: list[Subquery]
    hops: list[Hop]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class OrchestrateWrites(TypedDict, total=False):
    """The next action, or the reason to stop."""

    proposal: Proposal
    fused: bool
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def orchestrate(
    toolbox: Toolbox,
) -> AsyncNode[OrchestrateSlice, OrchestrateWrites]:
    """Node: propose the next action. A reached ceiling proposes to stop without a call."""

    async def propose_action(state: OrchestrateSlice, runtime: Runtime[Settings]) -> OrchestrateWrites:
        settings = settings_of(runtime)
        step = len(state["hops"])
        over = exceeded(state["usage"], step, settings.budget)
        if over:
            return {
                "proposal": _proposal(Action(action="stop", why=f"The ceiling {over} is reached.")),
                "stop_reason": over,
            }
        fused = FIF.of(settings.variant).fused
        opens = fused and settings.planner != OFFLINE
        if opens and step >= settings.fif.opening:
            return _handed_over("The opening has taken its steps.")
        inputs = await asyncio.to_thread(_inputs, state, settings, toolbox)
        taken = await take(
            toolbox, settings, ORCHESTRATE, inputs,
            node="orchestrate", step=step, spent=state["usage"], by_rules=fused,
        )  # fmt: skip
        if opens and taken.output and taken.output.action != "search":
            return _handed_over(taken.output.why)
        if taken.output is None:
            stop = Action(action="stop", why="No valid action was proposed; answering from what was found.")
            return {
                "proposal": _proposal(stop),
                "stop_reason": "failed:orchestrate",
                "usage": taken.usage,
                "failures": taken.failures,
            }
        writes: OrchestrateWrites = {"proposal": _proposal(taken.output), "usage": taken.usage}
        if taken.output.action == "stop":
            writes["stop_reason"] = "stop"
        return writes

    return propose_action


def _inputs(state: OrchestrateSlice, settings: Settings, toolbox: Toolbox) -> OrchestrateInputs:
    corpus = toolbox.corpus(settings)
    switches = settings.fif
    return OrchestrateInputs(
        question=state["question"],
        subqueries=subquery_views(state["subqueries"]),
        memory=hop_views(
            state["hops"],
            state["evidence"],
            corpus,
            state["question"],
            summaries=not FIF.of(settings.variant).fused,
        ),
        neighbours=neighbour_titles(state["hops"], corpus),
        steps_left=settings.budget.steps - len(state["hops"]),
        allowed=Allowed(
            backtracking=switches.backtracking,
            reasoning=switches.reasoning,
            global_hop=switches.global_hop,
            granularity=switches.granularity,
            planner=switches.planner,
        ),
    )


def _handed_over(why: str) -> OrchestrateWrites:
    """End the opening: its results go to the fused decision."""
    return {"proposal": {**_proposal(Action(action="stop", why=why)), "action": "advance"}, "fused": True}


def _proposal(action: Action) -> Proposal:
    return {
        "action": action.action,
        "subquery_id": action.subquery_id,
        "subtask": action.subtask,
        "document_mode": action.document_mode,
        "component_mode": action.component_mode,
        "anchor": action.anchor,
        "anchor_documents": action.anchor_documents,
        "granularity": action.granularity,
        "why": action.why,
    }
