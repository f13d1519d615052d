"""How MMAPG's planning graph grew in a run: counts for the results, no contents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from backtrail.state.mmapg.planning_graph import dead_branches, recovered_branches

KEYS = ("planning_graph",)
"""Keys of the memory that are read."""


class Grown(BaseModel):
    """Nodes beside the question's own, turns taken, branches that found nothing, and those of them made good."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    nodes: int
    turns: int
    dead: int
    recovered: int


def grown_of(state: Mapping[str, Any]) -> Grown | None:
    """The counts of a run that ended with this state; None for methods without a planning graph."""
    nodes = state.get("planning_graph")
    if nodes is None:
        return None
    return Grown(
        nodes=len(nodes),
        turns=max((node["step"] for node in nodes), default=0),
        dead=len(dead_branches(nodes)),
        recovered=len(recovered_branches(nodes)),
    )
