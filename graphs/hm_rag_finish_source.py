"""Subgraph that prepares one HM-RAG source for the vote: combine partial answers, summarise long ones."""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START

from backtrail.graphs.progress_stream import ProgressGraph
from backtrail.nodes.hm_rag.combine import combine
from backtrail.nodes.hm_rag.summarise import current, summarise
from backtrail.state.hm_rag.memory import Settled, SettleState, SettleTask
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def first(state: SettleState) -> Literal["combine", "summarise"]:
    """Route to the combination of partial answers first."""
    return "combine" if "combine" in state["position"]["todo"] else "summarise"


def long_answer(state: SettleState) -> Literal["summarise", "__end__"]:
    """Route a combined answer that is too long to compare to its summary."""
    return "summarise" if "summarise" in current(state)["todo"] else "__end__"


def build(toolbox: Toolbox) -> ProgressGraph[SettleState, Settings, SettleTask, Settled]:
    """Build the graph, not yet compiled."""
    graph = ProgressGraph(SettleState, context_schema=Settings, input_schema=SettleTask, output_schema=Settled)
    graph.add_node("combine", combine(toolbox))
    graph.add_node("summarise", summarise(toolbox))

    graph.add_conditional_edges(START, first)
    graph.add_conditional_edges("combine", long_answer)
    graph.add_edge("summarise", END)
    return graph
