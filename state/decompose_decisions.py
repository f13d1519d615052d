"""Decomposing a question into subqueries: FiF's decision (section 4.2), which LILaC takes too."""

from __future__ import annotations

from pydantic import BaseModel, Field

from backtrail.state.decision import Decision, Part


class DecomposeInputs(Part):
    """A question, and whether a picture comes with it."""

    question: str
    has_picture: bool = False


class PlannedSubquery(Part):
    """A new subquery; depends_on are 0-based indexes of earlier subqueries in the same reply."""

    text: str = Field(min_length=1, max_length=400)
    depends_on: list[int] = Field(default_factory=list[int])


class Plan(Part):
    """Subqueries in the order in which they should be resolved."""

    subqueries: list[PlannedSubquery] = Field(min_length=1, max_length=6)


def earlier_only(inputs: BaseModel, plan: Plan) -> list[str]:
    """A subquery may depend on earlier ones of the same reply only."""
    return [
        f"Subquery {index} depends on {dependency}; only indexes 0 to {index - 1} come before it."
        for index, subquery in enumerate(plan.subqueries)
        for dependency in subquery.depends_on
        if not 0 <= dependency < index
    ]


DECOMPOSE = Decision("fif_decompose", DecomposeInputs, Plan, "planner", earlier_only)
