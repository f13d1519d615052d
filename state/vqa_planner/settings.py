"""Parameters and ablation switches of the VQA planning agent."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

PathName = Literal["alone", "image", "text", "both"]
ChosenBy = Literal["planner", "alone", "image", "text", "both"]


class VqaPlannerSettings(BaseModel):
    """Parameters and ablation switches of the VQA planning agent, each with its source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: ChosenBy = Field(
        default="planner",
        description="Who chooses the path: the planner, or always the same one, as the baselines do (4.2).",
    )
    shown_characters: int = Field(
        default=600, ge=100, le=4000, description="Characters of a found picture's text the query writer sees (ours)."
    )
