"""Parameters of the baselines that FiF is compared with. Each default names its source."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class LilacSettings(BaseModel):
    """LILaC's beam search over edges of the component graph (Yun et al. 2025)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    beam: int = Field(default=30, ge=1, le=200, description="Seeds, and edges kept after each iteration (LILaC).")
    iterations: int = Field(default=1, ge=1, le=5, description="How often the beam is expanded (LILaC).")


class IrcotSettings(BaseModel):
    """IRCoT's alternation of thinking and retrieving (Trivedi et al. 2023)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    thoughts: int = Field(default=8, ge=1, le=20, description="Most sentences of the chain of thought (IRCoT).")
    per_retrieval: int = Field(default=10, ge=1, le=50, description="Components that a retrieval brings (ours).")
    shown: int = Field(
        default=15, ge=1, le=50, description="Most components shown to whoever thinks the next sentence (IRCoT)."
    )
