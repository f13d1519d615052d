"""The vector agent: the k components nearest to the question by cosine (HM-RAG 3.3.1, eq. 4 to 6).

The best components of pages they link to are added (ours).
"""

from __future__ import annotations

import time

from langgraph.runtime import Runtime

from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.graph_traversal.linked_candidates import linked_candidates
from backtrail.nodes.hm_rag.agents.agent import Agent, FoundWrites, charge_id, found, query_of
from backtrail.nodes.hm_rag.agents.read import MOST_LINKED
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.take_decision import settings_of
from backtrail.state.hm_rag.memory import AgentTask
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox


def vector_agent(toolbox: Toolbox) -> Agent:
    """Build the agent that searches the corpus by vectors."""
    return Agent("vector", (("retrieve", retrieve_nearest(toolbox)),))


def retrieve_nearest(toolbox: Toolbox) -> SyncNode[AgentTask, FoundWrites]:
    """Node: the nearest components."""

    def search_by_vectors(state: AgentTask, runtime: Runtime[Settings]) -> FoundWrites:
        settings = settings_of(runtime)
        started = time.perf_counter()
        corpus = toolbox.corpus(settings)
        query = query_of(state)
        words = HM_RAG.of(settings.variant).search_words
        near = search_components(corpus, query, "component", settings.k, words=words)
        ranked: list[Scored] = [{**one, "score": round(float(one["score"]), 6)} for one in near]
        if saves_calls(settings):
            ranked += _linked(corpus, query, ranked)
        evidence = found_evidence(corpus, state["text"], ranked, hop=state["number"], query=query)
        spent = charge(stage="vectors", seconds=time.perf_counter() - started)
        return found(
            state,
            {
                "queries": [query],
                "components": [one for one in ranked if one["id"] in evidence],
                "triplets": [],
                "pictures": [],
            },
            evidence,
            {charge_id(state, "retrieve"): spent},
            "The corpus is empty.",
        )

    return search_by_vectors


def _linked(corpus: CorpusReader, query: str, ranked: list[Scored]) -> list[Scored]:
    """Return new components that the results' rows and sentences lead to, scored below all results."""
    known = {one["id"] for one in ranked}
    near, _, _ = linked_candidates(corpus, query, [one["id"] for one in ranked], MOST_LINKED + len(known))
    least = min((one["score"] for one in ranked), default=0.0)
    new = [one["id"] for one in near if one["id"] not in known][:MOST_LINKED]
    return [{"id": key, "score": round(least / (2 + place), 6)} for place, key in enumerate(new)]
