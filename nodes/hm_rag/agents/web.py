"""The web agent: the k pages that a search engine ranks first (HM-RAG 3.3.3, equation 12).

``web.pages`` and ``web.language`` set the number of results and their language; only texts are searched.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from langgraph.runtime import Runtime

from backtrail.language.terms import content_terms, coverage
from backtrail.nodes.hm_rag.agents.agent import (
    Agent,
    FoundWrites,
    charge_id,
    found,
    not_searched,
    query_of,
    reply_without_answer,
)
from backtrail.nodes.hm_rag.skip_calls import repeats_vectors
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.component_views import clip, component_text, locator
from backtrail.nodes.take_decision import MESSAGE_CHARACTERS, settings_of
from backtrail.state.evidence import SNIPPET_CHARACTERS, Evidence
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.memory import AgentTask
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchError
from backtrail.tools.web.protocol import FoundComponent

QUERY_CHARACTERS = 400
SAME_SEARCH = "The corpus takes the place of the web, and the vector agent searches it already."


def web_agent(toolbox: Toolbox) -> Agent:
    """Build the agent that searches the web, or the corpus in its place."""
    return Agent("web", (("search", search_pages(toolbox)),))


def search_pages(toolbox: Toolbox) -> AsyncNode[AgentTask, FoundWrites]:
    """Node: one search. A failing provider gives a failed reply; each lost result is a failure."""

    async def search_web(state: AgentTask, runtime: Runtime[Settings]) -> FoundWrites:
        settings = settings_of(runtime)
        if repeats_vectors(settings):
            return {"replies": [reply_without_answer(state, "abstained", SAME_SEARCH)]}
        query = clip(" ".join(query_of(state).split()), QUERY_CHARACTERS)
        started = time.perf_counter()
        try:
            searched = await toolbox.searches(settings).text(query)
        except SearchError as error:
            spent = charge(stage="web", seconds=time.perf_counter() - started)
            return not_searched(state, "search", error, {charge_id(state, "search"): spent})
        writes = found(
            state,
            {
                "queries": [query],
                "components": [{"id": one.component.id, "score": round(one.score, 6)} for one in searched.found],
                "triplets": [],
                "pictures": [],
            },
            await asyncio.to_thread(_all_evidence, state, query, searched.found),
            {charge_id(state, "search"): searched.charge},
            searched.nothing,
        )
        writes["failures"] = [_trouble(state, number, text) for number, text in enumerate(searched.problems)]
        return writes

    return search_web


def _all_evidence(task: AgentTask, query: str, results: Sequence[FoundComponent]) -> dict[str, Evidence]:
    return {one.component.id: _evidence(task, query, one) for one in results}


def _evidence(task: AgentTask, query: str, one: FoundComponent) -> Evidence:
    wanted = content_terms(task["text"])
    words = content_terms(f"{one.document.title} {component_text(one.component)}")
    return {
        "component": one.component.id,
        "modality": one.component.modality,
        "document": one.document.id,
        "title": one.document.title,
        "snippet": clip(" ".join((one.snippet or component_text(one.component)).split()), SNIPPET_CHARACTERS),
        "locator": locator(one.component, one.document),
        "score": round(one.score, 6),
        # The web has no term statistics, so all terms of the question weigh the same.
        "coverage": round(coverage(wanted, words, {}), 4),
        "hop": task["number"],
        "query": query,
    }


def _trouble(task: AgentTask, number: int, text: str) -> Failure:
    return {
        "id": f"{charge_id(task, 'search')}#{number}",
        "node": "web.search",
        "step": task["number"],
        "error": "SearchTrouble",
        "message": text[:MESSAGE_CHARACTERS],
    }
