"""Settings of human in the loop, all off by default."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class HumanInputSettings(BaseModel):
    """When a run asks a person. It waits for the reply, for days and over restarts if need be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: bool = Field(default=False, description="Ask what an unclear pronoun of the question refers to.")
    plan: bool = Field(default=False, description="Show a plan of several parts, to approve, edit or reject.")
    web: bool = Field(default=False, description="Ask before a web service is searched.")
    calls: int | None = Field(default=None, ge=1, description="Ask before a run makes more model calls than this.")
    usd: float | None = Field(default=None, gt=0, description="Ask before a run spends more US dollars than this.")
