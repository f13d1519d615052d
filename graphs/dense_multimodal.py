"""Dense, multimodal: one search that also sees pictures, then read. A baseline of the FiF paper.

Components are ranked by vectors of their words, pictures also by vectors of their pixels, and the two rankings are
fused by rank. On a corpus without a pixel encoder this is a recorded failure, and the method works as ``dense``.
"""

from __future__ import annotations

from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.single_search import SingleSearch, single_search
from backtrail.nodes.retrieve_multimodal import retrieve_multimodal
from backtrail.state.conversation import MethodInput, MethodOutput
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> SingleSearch:
    """Build the graph, not yet compiled."""
    return single_search(toolbox, retrieve_multimodal(toolbox))


graph: CompiledStateGraph[SingleShotState, Settings, MethodInput, MethodOutput] = build(Toolbox()).compile(
    name="dense_multimodal"
)
