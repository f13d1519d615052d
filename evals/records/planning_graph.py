"""Planning graph: its growth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.evals.planning_graph_growth import PlanningGraphGrowth
from backtrail.evals.records.record_kind import Kind, RecordValues
from backtrail.state.mmapg.planning_graph import dead_branches, recovered_branches


def _kept(memory: Mapping[str, Any]) -> RecordValues:
    nodes = list(memory.get("planning_graph", ()))
    grown = PlanningGraphGrowth(
        nodes=len(nodes),
        turns=max((node["step"] for node in nodes), default=0),
        dead_ends=len(dead_branches(nodes)),
        recovered=len(recovered_branches(nodes)),
    )
    return {"growth": grown}


KIND = Kind(("planning_graph",), _kept)
