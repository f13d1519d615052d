"""The decision that splits a question into subqueries, of FiF (section 4.2) and LILaC."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from backtrail.state.decision import Decision, Part


class DecomposeInputs(Part):
    """A question, and whether it comes with a picture."""

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
    """Return the indexes of parts in dependency order, and the renumbered dependencies of each.

    ``needs[i]`` are 0-based indexes. References of a part to itself or to missing parts are dropped. Parts keep their
    place unless they have to wait; cycles stay as they were, for the check to report.
    """
    parts = range(len(needs))
    known = [[other for other in dict.fromkeys(needs[i]) if other in parts and other != i] for i in parts]
    order: list[int] = []
    while ready := [i for i, each in enumerate(known) if i not in order and set(each) <= set(order)]:
        order.append(ready[0])
    order += [i for i in parts if i not in order]
    return order, [[order.index(other) for other in known[i]] for i in order]


def resolved_first(inputs: BaseModel, plan: Plan) -> Plan:
    """Order the subqueries so that each follows those it depends on."""
    order, needs = in_order([subquery.depends_on for subquery in plan.subqueries])
    return Plan(
        subqueries=[
            PlannedSubquery(text=plan.subqueries[i].text, depends_on=needed)
            for i, needed in zip(order, needs, strict=True)
        ]
    )


def earlier_only(inputs: BaseModel, plan: Plan) -> list[str]:
    """Check that subqueries depend only on earlier ones of the same reply."""
    return [
        f"Subquery {index} depends on {dependency}, which comes after it; they wait for each other."
        for index, subquery in enumerate(plan.subqueries)
        for dependency in subquery.depends_on
        if not 0 <= dependency < index
    ]


DECOMPOSE = Decision("fif_decompose", DecomposeInputs, Plan, "planner", earlier_only, normalize=resolved_first)
