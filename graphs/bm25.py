"""BM25: one lexical search, then read. The baseline that needs no embedder.

Okapi BM25 over the texts of the components (Robertson and Zaragoza, 2009): shared rare words score; paraphrases are not
found.
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
    return single_search(toolbox, retrieve(toolbox, ranker="bm25"))


graph: CompiledStateGraph[SingleShotState, Settings, MethodInput, MethodOutput] = build(Toolbox()).compile(name="bm25")
