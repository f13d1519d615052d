"""Fixed image retrieval: one search by the question's picture, then an answer.

A baseline of the CogPlanner paper (sections 4.1 and 6.1.1): the search is always made.
A question without a picture is searched by its words.
"""

from __future__ import annotations

from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.fixed_search import FixedSearch, fixed_search
from backtrail.nodes.search_images import search_images
from backtrail.state.conversation import MethodInput
from backtrail.state.settings import Settings
from backtrail.state.single_web_search import SingleWebSearchAnswered, SingleWebSearchState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> FixedSearch:
    """Build the graph, not yet compiled."""
    return fixed_search(
        toolbox,
        "search_images",
        search_images(toolbox),
        lambda pictured: "image-by-picture" if pictured else "image-by-text",
    )


graph: CompiledStateGraph[SingleWebSearchState, Settings, MethodInput, SingleWebSearchAnswered] = build(
    Toolbox()
).compile(name="fixed_image")
