"""Subqueries: the plan as a scaffold. Earlier entries are kept, never overwritten by new ones."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

SubqueryStatus = Literal["open", "answered", "given_up"]


class Subquery(TypedDict):
    """One step of the plan and what became of it."""

    id: str
    text: str
    depends_on: list[str]
    status: SubqueryStatus
    answer: str
    answered_by: str | None
    planned_at: int
    candidates: NotRequired[list[str]]
    """Answers that are still possible."""
    unverified: NotRequired[list[str]]
    """Its constraints that nothing has shown yet."""
    false_premise: NotRequired[bool]
    """The evidence contradicts what it takes for granted; its answer says so."""


def merge_subqueries(held: list[Subquery], new: list[Subquery]) -> list[Subquery]:
    """Reducer: by id; a known id takes the newer status and answer in place, an unknown one is appended."""
    newer = {subquery["id"]: subquery for subquery in new}
    kept = [newer.pop(subquery["id"], subquery) for subquery in held]
    return kept + list(newer.values())
