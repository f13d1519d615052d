"""search_text: search the web for pages, by a query (CogPlanner 4.2.2)."""

from __future__ import annotations

from langgraph.runtime import Runtime

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.search_once import SearchWrites, search_once
from backtrail.nodes.take_decision import settings_of
from backtrail.state.search import SearchTask
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def search_text(toolbox: Toolbox) -> AsyncNode[SearchTask, SearchWrites]:
    """Node: pages for the query of a task. Start it with ``Send``, once for each query."""

    async def find_pages(state: SearchTask, runtime: Runtime[Settings]) -> SearchWrites:
        searches = toolbox.searches(settings_of(runtime))
        return await search_once(state, searches.text(state["query"]))

    return find_pages
