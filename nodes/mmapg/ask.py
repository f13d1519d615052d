"""ask: execute a Question node, whose content is its instruction (MMAPG section 3.3)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.state.mmapg.planning_graph import PlanningNode
from backtrail.state.settings import Settings


class AskSlice(TypedDict):
    """The admitted question."""

    node: PlanningNode


class AskWrites(TypedDict):
    """The question in the graph."""

    planning_graph: list[PlanningNode]


def ask() -> SyncNode[AskSlice, AskWrites]:
    """Node: write the question into the graph."""

    def write_question(state: AskSlice, runtime: Runtime[Settings]) -> AskWrites:
        node = state["node"]
        return {"planning_graph": [{**node, "content": node["instruction"], "status": "asked"}]}

    return write_question
