"""HM-RAG: decomposition agent, retrieval agents for each source, and a decision agent with a vote.

Paper: HM-RAG, Hierarchical Multi-Agent Multimodal Retrieval Augmented Generation. Each source answers every part on
its own; where answers differ an expert reads everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from backtrail.graphs.hm_rag_agent import build as build_agent
from backtrail.graphs.hm_rag_finish_source import build as build_settle
from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.hm_rag.agents.agent import Agent
from backtrail.nodes.hm_rag.agents.table import AGENTS
from backtrail.nodes.hm_rag.assign import assign
from backtrail.nodes.hm_rag.bridge import bridge
from backtrail.nodes.hm_rag.collect import collect
from backtrail.nodes.hm_rag.complete_question import complete_question
from backtrail.nodes.hm_rag.deliver import deliver
from backtrail.nodes.hm_rag.dependency_order import bridge_tasks
from backtrail.nodes.hm_rag.divide import divide
from backtrail.nodes.hm_rag.judge_intents import judge_intents
from backtrail.nodes.hm_rag.merge import merge
from backtrail.nodes.hm_rag.refine import refine
from backtrail.nodes.hm_rag.settle_tasks import settle_tasks
from backtrail.nodes.hm_rag.vote import vote
from backtrail.state.conversation import MethodInput
from backtrail.state.hm_rag.memory import HmRagAnswered, HmRagState
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def intents(state: HmRagState) -> Literal["complete_question", "divide", "assign"]:
    """Route to the completion by the picture if asked for, or to a split that is still to be made."""
    several = state.get("several_intents") and not state.get("subqueries")
    return "complete_question" if state.get("completing") else "divide" if several else "assign"


def agents(state: HmRagState) -> list[Send] | Literal["collect"]:
    """Send every agent its task, in parallel; the budget may leave none for a later wave."""
    return [Send(task["source"], task) for task in state.get("tasks", [])] or "collect"


def unsettled(state: HmRagState) -> list[Send] | Literal["assign", "vote"]:
    """Send the parts that others depend on, or the sources with steps left before the vote, in parallel."""
    if state.get("next_wave"):
        return [Send("bridge", task) for task in bridge_tasks(state)] or "assign"
    return [Send("settle", task) for task in settle_tasks(state)] or "vote"


def verdict(state: HmRagState) -> list[Send] | Literal["merge", "refine", "deliver"]:
    """Route agreement to the merge, disagreement to the expert, and long answers to a summary."""
    if (ballot := state.get("vote")) is None:
        return [Send("settle", task) for task in settle_tasks(state)]
    return "deliver" if state.get("verdict") else "merge" if ballot["outcome"] == "agreed" else "refine"


def build(
    toolbox: Toolbox, sources: Mapping[str, Callable[[Toolbox], Agent]] = AGENTS
) -> QuestionGraph[HmRagState, Settings, MethodInput, HmRagAnswered]:
    """Build the graph with a node for each source; the settings choose which of them run."""
    builder = QuestionGraph(HmRagState, context_schema=Settings, input_schema=MethodInput, output_schema=HmRagAnswered)
    builder.begin_with(contextualize(toolbox, empty_memory(HmRagState)), then="judge_intents")
    builder.add_node("judge_intents", judge_intents(toolbox, sources))
    builder.add_node("complete_question", complete_question(toolbox))
    builder.add_node("divide", divide(toolbox))
    builder.add_node("assign", assign())
    for name, open_agent in sources.items():
        builder.add_node(name, build_agent(toolbox, open_agent(toolbox)).compile(name=f"hm_rag_{name}"))
        builder.add_edge(name, "collect")
    builder.add_node("collect", collect())
    builder.add_node("bridge", bridge(toolbox))
    builder.add_node("settle", build_settle(toolbox).compile(name="hm_rag_settle"))
    builder.add_node("vote", vote())
    builder.add_node("merge", merge(toolbox))
    builder.add_node("refine", refine(toolbox))
    builder.add_node("deliver", deliver(toolbox))

    builder.add_conditional_edges("judge_intents", intents)
    builder.add_conditional_edges("assign", agents, [*sources, "collect"])
    builder.add_conditional_edges("collect", unsettled, ["bridge", "assign", "settle", "vote"])
    for written in ("complete_question", "divide", "bridge"):
        builder.add_edge(written, "assign")
    builder.add_edge("settle", "vote")
    builder.add_conditional_edges("vote", verdict, ["settle", "merge", "refine", "deliver"])
    builder.add_edge("merge", "deliver")
    builder.add_edge("refine", "deliver")
    builder.add_edge("deliver", END)
    return builder


graph: CompiledStateGraph[HmRagState, Settings, MethodInput, HmRagAnswered] = build(Toolbox()).compile(name="hm_rag")
