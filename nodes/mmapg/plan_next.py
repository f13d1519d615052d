"""plan_next: read the overall plan and the planning graph, and propose the next nodes (MMAPG 3.3)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.mmapg.only_growth import forced
from backtrail.nodes.mmapg.planning_views import node_views
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.budget import exceeded
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import KeyComponent, Proposed
from backtrail.state.mmapg.planning_decisions import PLAN, Choices, KeyPart, NextNode, PlanInputs
from backtrail.state.mmapg.planning_graph import PlanningNode
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

REFUSALS_BORNE = 3
"""Turns in a row with nothing but refusals after which the run stops: the planner is in a loop (ours)."""


class PlanNextSlice(TypedDict):
    """The plan and the graph so far."""

    question: str
    overall_plan: list[KeyComponent]
    opening: list[str]
    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class PlanNextWrites(TypedDict, total=False):
    """The proposed nodes, or a stop with its reason."""

    proposed: list[Proposed]
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def plan_next(toolbox: Toolbox) -> AsyncNode[PlanNextSlice, PlanNextWrites]:
    """Node: the next node or nodes. Reached bounds and forced nodes take no call."""

    async def propose_nodes(state: PlanNextSlice, runtime: Runtime[Settings]) -> PlanNextWrites:
        settings = settings_of(runtime)
        turn = turns_taken(state["planning_graph"])
        bound = _bound(state, turn, settings)
        if bound:
            return {"proposed": [_stop(f"The bound {bound} is reached.")], "stop_reason": bound}
        if due := _due(state, settings):
            stops = due[0]["kind"] == "stop"
            return {"proposed": due, "stop_reason": "stop"} if stops else {"proposed": due}
        inputs = await asyncio.to_thread(_inputs, state, settings, toolbox)
        taken = await take(toolbox, settings, PLAN, inputs, node="plan_next", step=turn + 1, spent=state["usage"])
        if taken.output is None:
            return {
                "proposed": [_stop("No valid node was planned; answering from the graph.")],
                "stop_reason": "failed:plan_next",
                "usage": taken.usage,
                "failures": taken.failures,
            }
        writes: PlanNextWrites = {
            "proposed": [_proposed(node, state["question"]) for node in taken.output.nodes],
            "usage": taken.usage,
        }
        if taken.output.nodes[0].type == "stop":
            writes["stop_reason"] = "stop"
        return writes

    return propose_nodes


def turns_taken(nodes: list[PlanningNode]) -> int:
    """Return the number of planning turns."""
    return max((node["step"] for node in nodes), default=0)


def _bound(state: PlanNextSlice, turn: int, settings: Settings) -> str | None:
    if turn >= settings.mmapg.turns:
        return "turns"
    if _refused_in_a_row(state["planning_graph"]) >= REFUSALS_BORNE:
        return "loop"
    return exceeded(state["usage"], turn, settings.budget)


def _refused_in_a_row(nodes: list[PlanningNode]) -> int:
    """Count the latest turns with nothing but refusals."""
    steps: dict[int, bool] = {}
    for node in nodes:
        steps[node["step"]] = steps.get(node["step"], True) and node["status"] == "refused"
    count = 0
    for step in sorted(steps, reverse=True):
        if not steps[step]:
            break
        count += 1
    return count


def _inputs(state: PlanNextSlice, settings: Settings, toolbox: Toolbox) -> PlanInputs:
    corpus = toolbox.corpus(settings)
    switches = settings.mmapg
    nodes = state["planning_graph"]
    left = min(switches.turns, settings.budget.steps) - turns_taken(nodes)
    return PlanInputs(
        question=state["question"],
        overall_plan=[KeyPart(text=part["text"][:400], needs=part["needs"]) for part in state["overall_plan"]],
        nodes=node_views(nodes, state["evidence"], corpus, state["question"]),
        turns_left=max(left, 0),
        choices=Choices(
            side_by_side=switches.side_by_side and switches.graph_guided,
            links=switches.links and switches.retrieval_module and MMAPG.of(settings.variant).links,
            single_path=not switches.graph_guided,
        ),
    )


def _due(state: PlanNextSlice, settings: Settings) -> list[Proposed] | None:
    """Return forced nodes; None on a single path (ablation) and as published."""
    if not MMAPG.of(settings.variant).forced or not settings.mmapg.graph_guided:
        return None
    return forced(state["question"], state["overall_plan"], state.get("opening", []), state["planning_graph"])


def _proposed(node: NextNode, question: str) -> Proposed:
    """Convert a planned node; an answer without an instruction answers the whole question."""
    return {
        "kind": node.type,
        "parents": list(dict.fromkeys(node.parents)),
        "instruction": node.instruction.strip() or (question if node.type == "answer" else ""),
        "within": node.within if node.type == "retrieval" else "corpus",
        "why": node.why,
    }


def _stop(why: str) -> Proposed:
    return {"kind": "stop", "parents": [], "instruction": "", "within": "corpus", "why": why}
