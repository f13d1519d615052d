"""Parameters of CogPlanner and of its baselines that loop."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Paradigm = Literal["sequential", "parallel"]


class CogPlannerSettings(BaseModel):
    """Parameters of CogPlanner, each with its source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paradigm: Paradigm = Field(
        default="sequential",
        description="Reformulate, then choose the search (sequential); or both at once from the same inputs (4.2.1).",
    )
    rounds: int = Field(default=3, ge=1, le=10, description="Most planning rounds (6.1.3).")
    queries: int = Field(default=4, ge=1, le=8, description="Most sub-queries of a round, searched at once (ours).")
    elements: int = Field(default=60, ge=1, le=200, description="Most found elements that the generator reads (ours).")
    shown: int = Field(default=20, ge=1, le=60, description="Most found elements that the planner sees (ours).")
    shown_characters: int = Field(
        default=600, ge=100, le=4000, description="Characters of a found element that the planner sees (ours)."
    )
