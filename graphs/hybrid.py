"""Hybrid: one dense and one lexical search, fused by rank, then read.

Reciprocal rank fusion with k = 60 (Cormack, Clarke and Büttcher, SIGIR 2009) uses ranks, not scores,
so the two need no common scale.
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
    return single_search(toolbox, retrieve(toolbox, ranker="hybrid"))


graph: CompiledStateGraph[SingleShotState, Settings, MethodInput, MethodOutput] = build(Toolbox()).compile(
    name="hybrid"
)
