"""Dense: one search by the embedder, then read. The single-shot baseline of the FiF paper.

The whole question is embedded once, and the components with the nearest vectors are read. Components
that are only reachable through others are not found.
"""

from __future__ import annotations

from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.single_search import SingleSearch, single_search
from backtrail.nodes.retrieve import retrieve
from backtrail.state.conversation import MethodInput, MethodOutput
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> SingleSearch:
    """Build the graph, not yet compiled."""
    return single_search(toolbox, retrieve(toolbox, ranker="dense"))


graph: CompiledStateGraph[SingleShotState, Settings, MethodInput, MethodOutput] = build(Toolbox()).compile(name="dense")
