"""Inputs of the executor of an admitted node."""

from __future__ import annotations

from backtrail.state.mmapg.memory import ExecutorInput, MmapgState
from backtrail.state.mmapg.planning_graph import PlanningNode
from backtrail.state.spent_shares import shared


def growing(state: MmapgState, node: PlanningNode) -> ExecutorInput:
    """Return the node, its parents, their evidence, and its share of what is left to spend."""
    together = [one["id"] for one in state.get("admitted", [])] or [node["id"]]
    parents = [parent for parent in state.get("planning_graph", []) if parent["id"] in node["parents"]]
    sources = {source for parent in parents for source in parent["sources"]}
    return {
        "node": node,
        "parents": parents,
        "evidence": {key: found for key, found in state.get("evidence", {}).items() if key in sources},
        "question": state.get("question", ""),
        "image": state.get("image"),
        "spent": shared(state.get("usage", {}), together.index(node["id"]), len(together)),
    }
