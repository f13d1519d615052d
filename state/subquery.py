"""Subqueries: the plan of a run. New subqueries never replace earlier ones."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

SubqueryStatus = Literal["open", "answered", "given_up"]


class Subquery(TypedDict):
    """One step of the plan with its status and answer."""

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
    """Constraints that nothing has verified yet."""
    false_premise: NotRequired[bool]
    """The evidence contradicts a premise of it; its answer says so."""


def merge_subqueries(current: list[Subquery], new: list[Subquery]) -> list[Subquery]:
    """Reducer: by id; a known id is updated in place, an unknown one appended."""
    newer = {subquery["id"]: subquery for subquery in new}
    kept = [newer.pop(subquery["id"], subquery) for subquery in current]
    return kept + list(newer.values())
