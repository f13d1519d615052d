"""Decomposing a question into subqueries: FiF's decision (section 4.2), which LILaC takes too."""

from __future__ import annotations

from collections.abc import Sequence

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


def in_order(needs: Sequence[Sequence[int]]) -> tuple[list[int], list[list[int]]]:
    """The indexes of parts in an order in which each comes after what it needs, and what each then needs, renumbered.

    ``needs[i]`` are 0-based indexes. What a part is said to need of itself, or of parts that do not exist, is left
    out. Parts stay where they are unless they have to wait; those that wait for each other stay as they were, for
    the check to say so.
    """
    parts = range(len(needs))
    known = [[other for other in dict.fromkeys(needs[i]) if other in parts and other != i] for i in parts]
    order: list[int] = []
    while ready := [i for i, each in enumerate(known) if i not in order and set(each) <= set(order)]:
        order.append(ready[0])
    order += [i for i in parts if i not in order]
    return order, [[order.index(other) for other in known[i]] for i in order]


def resolved_first(inputs: BaseModel, plan: Plan) -> Plan:
    """The plan with each subquery after those that it depends on."""
    order, needs = in_order([subquery.depends_on for subquery in plan.subqueries])
    return Plan(
        subqueries=[
            PlannedSubquery(text=plan.subqueries[i].text, depends_on=needed)
            for i, needed in zip(order, needs, strict=True)
        ]
    )


def earlier_only(inputs: BaseModel, plan: Plan) -> list[str]:
    """A subquery may depend on earlier ones of the same reply only."""
    return [
        f"Subquery {index} depends on {dependency}, which comes after it; they wait for each other."
        for index, subquery in enumerate(plan.subqueries)
        for dependency in subquery.depends_on
        if not 0 <= dependency < index
    ]


DECOMPOSE = Decision("fif_decompose", DecomposeInputs, Plan, "planner", earlier_only, settle=resolved_first)
