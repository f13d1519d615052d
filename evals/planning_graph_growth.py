"""Growth of a planning graph in counts."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class PlanningGraphGrowth(BaseModel):
    """Counts of nodes besides the question's, of turns, of dead branches and of recovered ones."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    nodes: int
    turns: int
    dead_ends: int
    recovered: int
