"""OmniSearch's parameters."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class OmniSearchSettings(BaseModel):
    """Parameters of the self-adaptive loop, each with its source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: int = Field(default=5, ge=1, le=20, description="Most turns; then an answer is forced (ours).")
    shown: int = Field(default=6, ge=1, le=20, description="Found elements of a turn that the planner sees (ours).")
    shown_characters: int = Field(
        default=600, ge=100, le=4000, description="Characters of a found element that the planner sees (ours)."
    )
