"""The graph agent: dual-level retrieval from the knowledge graph (HM-RAG 3.3.2, LightRAG)."""

from __future__ import annotations

import asyncio
import time

from langgraph.runtime import Runtime

from backtrail.nodes.hm_rag.agents.agent import Agent, FoundWrites, charge_id, found, not_searched, query_of
from backtrail.nodes.hm_rag.agents.subgraph import explore
from backtrail.nodes.node import AsyncNode, SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.choice_decisions import OptionView
from backtrail.state.hm_rag.decisions import KEYWORDS, KeywordsInputs
from backtrail.state.hm_rag.memory import AgentTask, Keywords, Searching
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.toolbox import Toolbox

NOTHING_NEAR = "The knowledge graph holds nothing near to the keywords."
EMPTY = "The knowledge graph is empty."


def graph_agent(toolbox: Toolbox) -> Agent:
    """Build the agent that searches the knowledge graph by keywords of two levels."""
    return Agent("graph", (("keywords", choose_keywords(toolbox)), ("explore", explore_graph(toolbox))))


def choose_keywords(toolbox: Toolbox) -> AsyncNode[AgentTask, FoundWrites]:
    """Node: low- and high-level keywords. Without valid ones the sub-question is used for both.

    No call is made for keywords that came with the plan, or without a knowledge graph.
    """

    async def name_keywords(state: AgentTask, runtime: Runtime[Settings]) -> FoundWrites:
        settings = settings_of(runtime)
        try:
            await asyncio.to_thread(toolbox.knowledge, settings)
        except KnowledgeMissing as error:
            return not_searched(state, "explore", error, {})
        if "named" in state:
            return {"keywords": state["named"]}
        options = [OptionView(**option) for option in state["options"]]
        taken = await take(
            toolbox, settings, KEYWORDS, KeywordsInputs(question=state["text"], options=options),
            node="graph.keywords", step=state["number"], spent=state["spent"],
        )  # fmt: skip
        keywords: Keywords = {"low": [state["text"]], "high": [state["text"]]}
        if taken.output:
            keywords = {"low": taken.output.low_level, "high": taken.output.high_level}
        return {"keywords": keywords, "usage": taken.usage, "failures": taken.failures}

    return name_keywords


def explore_graph(toolbox: Toolbox) -> SyncNode[Searching, FoundWrites]:
    """Node: the subgraph around the keywords. Without a knowledge graph there is a failed reply already."""

    def find_subgraph(state: Searching, runtime: Runtime[Settings]) -> FoundWrites:
        if state.get("replies"):
            return {}
        settings = settings_of(runtime)
        started = time.perf_counter()
        knowledge = toolbox.knowledge(settings)
        corpus = toolbox.corpus(settings)
        text = query_of(state)
        retrieved = explore(corpus, knowledge, text, state["keywords"], settings.hm_rag)
        evidence = found_evidence(
            corpus, state["text"], retrieved["components"], hop=state["number"], query=" | ".join(retrieved["queries"])
        )
        retrieved["components"] = [one for one in retrieved["components"] if one["id"] in evidence]
        spent = charge(stage="vectors", seconds=time.perf_counter() - started)
        nothing = NOTHING_NEAR if knowledge.counts().get("entities") else EMPTY
        return found(state, retrieved, evidence, {charge_id(state, "explore"): spent}, nothing)

    return find_subgraph
