"""admit: check the planner's proposals against earlier retrievals, and add them to the graph.

Equal retrievals from the same parents are refused here, whatever the planner proposes (ours; the paper leaves it to the
prompt).
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.mmapg.memory import Proposed
from backtrail.state.mmapg.planning_graph import (
    UNDONE,
    PlanningNode,
    is_dead,
    node_id,
    retrieval_key,
    tried_retrievals,
)
from backtrail.state.settings import Settings


class AdmitSlice(TypedDict):
    """The proposals, and the graph to check them against."""

    proposed: list[Proposed]
    planning_graph: list[PlanningNode]
    stop_reason: str


class AdmitWrites(TypedDict):
    """Nodes to execute, and the records of refusals and of the stop."""

    admitted: list[PlanningNode]
    planning_graph: list[PlanningNode]


def admit() -> SyncNode[AdmitSlice, AdmitWrites]:
    """Node: admit or refuse each proposed node."""

    def admit_nodes(state: AdmitSlice, runtime: Runtime[Settings]) -> AdmitWrites:
        nodes = state["planning_graph"]
        by_similarity = not settings_of(runtime).mmapg.retrieval_module
        tried = tried_retrievals(nodes)
        live = {node["id"] for node in nodes if not is_dead(node)}
        admitted: list[PlanningNode] = []
        recorded: list[PlanningNode] = []
        for offset, proposed in enumerate(state["proposed"]):
            node = _node(proposed, nodes, len(nodes) + offset)
            if by_similarity and node["kind"] == "retrieval":
                node["within"] = "similarity"
            key = retrieval_key(node["instruction"], live.intersection(node["parents"]), node["within"])
            if node["kind"] == "stop":
                recorded.append(node)
            elif node["kind"] == "retrieval" and key in tried:
                recorded.append(_refused(node))
            else:
                tried.add(key)
                admitted.append(node)
        return {"admitted": admitted, "planning_graph": recorded}

    return admit_nodes


def _node(proposed: Proposed, nodes: list[PlanningNode], number: int) -> PlanningNode:
    """Build the node of a proposal, not yet executed."""
    stopping = proposed["kind"] == "stop"
    return {
        "id": node_id(number),
        "kind": proposed["kind"],
        "step": max((node["step"] for node in nodes), default=0) + 1,
        "parents": proposed["parents"] or [nodes[-1]["id"]],
        "instruction": proposed["instruction"],
        "within": proposed["within"],
        "content": proposed["why"] or "Stop." if stopping else "Not carried out.",
        "sources": [],
        "status": UNDONE[proposed["kind"]],
        "why": proposed["why"],
    }


def _refused(node: PlanningNode) -> PlanningNode:
    return {**node, "status": "refused", "content": "The same retrieval was made from the same nodes before."}
