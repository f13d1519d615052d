"""When a run asks people before it goes on. All of it is off unless it is set."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class PeopleSettings(BaseModel):
    """What is asked. A run that asks waits, for days and over restarts if need be, until it is answered."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: bool = Field(default=False, description="Ask back what a question means that points at nothing.")
    plan: bool = Field(default=False, description="Show a plan of several parts, to approve, edit or drop.")
    web: bool = Field(default=False, description="Ask before a service of the web is searched.")
    calls: int | None = Field(default=None, ge=1, description="Ask before a run makes more model calls than this.")
    usd: float | None = Field(default=None, gt=0, description="Ask before a run spends more US dollars than this.")
