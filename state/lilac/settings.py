"""LILaC's parameters. Each default names its source."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class LilacSettings(BaseModel):
    """LILaC's beam search over edges of the component graph (Yun et al. 2025)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    beam: int = Field(default=30, ge=1, le=200, description="Seeds, and edges kept after each iteration (LILaC).")
    iterations: int = Field(default=1, ge=1, le=5, description="How often the beam is expanded (LILaC).")
