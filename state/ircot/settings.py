"""IRCoT's parameters. Each default names its source."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class IrcotSettings(BaseModel):
    """IRCoT's alternation of thinking and retrieving (Trivedi et al. 2023)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    thoughts: int = Field(default=8, ge=1, le=20, description="Most sentences of the chain of thought (IRCoT).")
    per_retrieval: int = Field(default=10, ge=1, le=50, description="Components per retrieval (ours).")
    shown: int = Field(
        default=15, ge=1, le=50, description="Most components in the prompt for the next sentence (IRCoT)."
    )
