"""Self-RAG's parameters."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class SelfRagSettings(BaseModel):
    """Parameters of the baseline self-reflective RAG."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    searches: int = Field(default=3, ge=1, le=10, description="Most searches; later queries are rewritten (ours).")
