"""HM-RAG: a decomposition agent, one retrieval agent for each source, and a decision agent that lets them vote.

Paper: HM-RAG, Hierarchical Multi-Agent Multimodal Retrieval Augmented Generation. A question with several
intents is split; for every part each source (vectors, knowledge graph, web) is searched and answers by itself,
side by side. Sources that agree have their answers merged; where they contradict each other an expert reads
everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from backtrail.graphs.hm_rag_agent import build as build_agent
from backtrail.graphs.hm_rag_settle import build as build_settle
from backtrail.graphs.machine import Machine
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.hm_rag.agents.agent import Agent
from backtrail.nodes.hm_rag.agents.table import AGENTS
from backtrail.nodes.hm_rag.assign import assign
from backtrail.nodes.hm_rag.collect import collect
from backtrail.nodes.hm_rag.deliver import deliver
from backtrail.nodes.hm_rag.divide import divide
from backtrail.nodes.hm_rag.judge_intents import judge_intents
from backtrail.nodes.hm_rag.merge import merge
from backtrail.nodes.hm_rag.refine import refine
from backtrail.nodes.hm_rag.settle_tasks import settle_tasks
from backtrail.nodes.hm_rag.vote import vote
from backtrail.state.conversation import Asked
from backtrail.state.hm_rag.memory import HmRagAnswered, HmRagState
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def intents(state: HmRagState) -> Literal["divide", "assign"]:
    """Only a question with several intents is split."""
    return "divide" if state.get("several_intents") else "assign"


def agents(state: HmRagState) -> list[Send]:
    """Every agent that has a task, side by side."""
    return [Send(task["source"], task) for task in state.get("tasks", [])]


def unsettled(state: HmRagState) -> list[Send] | Literal["vote"]:
    """Sources with something left to do before the vote, side by side."""
    return [Send("settle", task) for task in settle_tasks(state)] or "vote"


def verdict(state: HmRagState) -> Literal["merge", "refine", "deliver"]:
    """Agreement is merged, disagreement goes to the expert; where nothing has to be written, the vote decides."""
    if state.get("verdict"):
        return "deliver"
    held = state.get("vote")
    return "merge" if held and held["outcome"] == "agreed" else "refine"


def build(
    toolbox: Toolbox, sources: Mapping[str, Callable[[Toolbox], Agent]] = AGENTS
) -> Machine[HmRagState, Settings, Asked, HmRagAnswered]:
    """The machine, with a node for each source; which of them are asked is a setting."""
    machine = Machine(HmRagState, context_schema=Settings, input_schema=Asked, output_schema=HmRagAnswered)
    machine.add_node("contextualize", contextualize(toolbox, empty_memory(HmRagState)))
    machine.add_node("judge_intents", judge_intents(toolbox, sources))
    machine.add_node("divide", divide(toolbox))
    machine.add_node("assign", assign())
    for name, open_agent in sources.items():
        machine.add_node(name, build_agent(toolbox, open_agent(toolbox)).compile(name=f"hm_rag_{name}"))
    machine.add_node("collect", collect())
    machine.add_node("settle", build_settle(toolbox).compile(name="hm_rag_settle"))
    machine.add_node("vote", vote())
    machine.add_node("merge", merge(toolbox))
    machine.add_node("refine", refine(toolbox))
    machine.add_node("deliver", deliver())

    machine.add_edge(START, "contextualize")
    machine.add_edge("contextualize", "judge_intents")
    machine.add_conditional_edges("judge_intents", intents)
    machine.add_edge("divide", "assign")
    machine.add_conditional_edges("assign", agents, list(sources))
    for name in sources:
        machine.add_edge(name, "collect")
    machine.add_conditional_edges("collect", unsettled, ["settle", "vote"])
    machine.add_edge("settle", "vote")
    machine.add_conditional_edges("vote", verdict)
    machine.add_edge("merge", "deliver")
    machine.add_edge("refine", "deliver")
    machine.add_edge("deliver", END)
    return machine


graph: CompiledStateGraph[HmRagState, Settings, Asked, HmRagAnswered] = build(Toolbox()).compile(name="hm_rag")
