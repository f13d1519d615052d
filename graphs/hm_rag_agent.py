"""Subgraph of one HM-RAG agent: a sub-question in, a reply out.

Paper, section 3.3. The search nodes of the source run in turn, then one node reads their results.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START

from backtrail.graphs.progress_stream import ProgressGraph
from backtrail.nodes.hm_rag.agents.agent import Agent
from backtrail.nodes.hm_rag.agents.hand_over import hand_over
from backtrail.nodes.hm_rag.agents.read import read
from backtrail.state.hm_rag.memory import AgentDone, AgentState, AgentTask
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def found_something(state: AgentState) -> Literal["read", "hand_over", "__end__"]:
    """Route to the reading; failed and empty searches have replied, and search-only tasks are handed over."""
    if state.get("replies"):
        return "__end__"
    return "hand_over" if state.get("search_only") else "read"


def build(toolbox: Toolbox, agent: Agent) -> ProgressGraph[AgentState, Settings, AgentTask, AgentDone]:
    """Build the graph, not yet compiled."""
    graph = ProgressGraph(AgentState, context_schema=Settings, input_schema=AgentTask, output_schema=AgentDone)
    before = START
    for name, node in agent.searching:
        graph.add_node(name, node)
        graph.add_edge(before, name)
        before = name
    graph.add_node("read", read(toolbox))
    graph.add_node("hand_over", hand_over())
    graph.add_conditional_edges(before, found_something)
    graph.add_edge("hand_over", END)
    graph.add_edge("read", END)
    return graph
