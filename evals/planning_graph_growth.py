"""Counts of how a planning graph grew."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class PlanningGraphGrowth(BaseModel):
    """Nodes beside the question's own, turns taken, branches that found nothing, and those of them made good."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    nodes: int
    turns: int
    dead: int
    recovered: int
