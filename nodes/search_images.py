"""search_images: search the web for pictures, by the question's picture or by words (CogPlanner)."""

from __future__ import annotations

from langgraph.runtime import Runtime

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.search_once import SearchWrites, search_once
from backtrail.nodes.take_decision import settings_of
from backtrail.state.search import SearchTask
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchRejected
from backtrail.tools.web.protocol import Searched


def search_images(toolbox: Toolbox) -> AsyncNode[SearchTask, SearchWrites]:
    """Node: pictures for a task. A search by picture without a picture is a failed search."""

    async def find_pictures(state: SearchTask, runtime: Runtime[Settings]) -> SearchWrites:
        searches = toolbox.searches(settings_of(runtime))
        if state["kind"] == "image-by-text":
            return await search_once(state, searches.images_for_text(state["query"]))
        picture = state["picture"]
        return await search_once(state, searches.images_for_picture(picture) if picture else _no_picture())

    return find_pictures


async def _no_picture() -> Searched:
    raise SearchRejected("A search by picture needs a picture, and none came with the question. Ask with --image FILE.")
