"""Page images: one search among pictures of whole pages, then read. ColPali and VisRAG of the FiF paper.

Every page is drawn and embedded as a picture. With ``page_images.model = "late-interaction"`` a page has a vector per
patch and is scored by MaxSim (Faysse et al. 2024, ColPali), with "cross-modal" a page has one vector (the idea of
VisRAG, Yu et al. 2024). Pages rank the components on them, which are read and cited.
"""

from __future__ import annotations

from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.single_search import SingleSearch, single_search
from backtrail.nodes.retrieve_pages import retrieve_pages
from backtrail.state.conversation import MethodInput, MethodOutput
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> SingleSearch:
    """Build the graph, not yet compiled."""
    return single_search(toolbox, retrieve_pages(toolbox))


graph: CompiledStateGraph[SingleShotState, Settings, MethodInput, MethodOutput] = build(Toolbox()).compile(
    name="page_images"
)
