"""Subgraph of a summary in FiF (ours): documents are divided, their parts read side by side, and the points merged."""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START
from langgraph.types import Send

from backtrail.graphs.progress_stream import ProgressGraph
from backtrail.nodes.fif.summarise import divide_documents, merge_parts, part_tasks, read_parts
from backtrail.state.fif.memory import Summarised, SummaryInput, SummaryState
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def parts(state: SummaryState) -> list[Send] | Literal["__end__"]:
    """Send each part to be read; without parts the step has failed."""
    return [Send("read_part", task) for task in part_tasks(state)] or "__end__"


def build(toolbox: Toolbox) -> ProgressGraph[SummaryState, Settings, SummaryInput, Summarised]:
    """Build the graph, not yet compiled."""
    graph = ProgressGraph(SummaryState, context_schema=Settings, input_schema=SummaryInput, output_schema=Summarised)
    graph.add_node("divide", divide_documents(toolbox))
    graph.add_node("read_part", read_parts(toolbox))
    graph.add_node("merge_points", merge_parts(toolbox))

    graph.add_edge(START, "divide")
    graph.add_conditional_edges("divide", parts, ["read_part", END])
    graph.add_edge("read_part", "merge_points")
    graph.add_edge("merge_points", END)
    return graph
