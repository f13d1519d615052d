"""The offline overall plan: the clauses of the question, inner ones first."""

from __future__ import annotations

from backtrail.rules.decompose import decompose
from backtrail.state.decompose_decisions import DecomposeInputs
from backtrail.state.mmapg.planning_decisions import KeyPart, Opening, OpeningInputs, OverallPlan, OverallPlanInputs


def overall_plan(inputs: OverallPlanInputs) -> OverallPlan:
    """Return one to six parts in the question's words."""
    planned = decompose(DecomposeInputs(question=inputs.question, has_picture=inputs.has_picture))
    return OverallPlan(components=[KeyPart(text=part.text, needs=part.depends_on) for part in planned.subqueries])


def opening(inputs: OpeningInputs) -> Opening:
    """Return the plan, and first each side of a comparison, else the question with all its constraints."""
    parts = overall_plan(inputs).components
    return Opening(components=parts, first=first_sought(inputs.question, parts))


def first_sought(question: str, parts: list[KeyPart]) -> list[str]:
    """Return what has to be retrieved before an answer can be tried."""
    sides = [part.text for part in parts if not part.needs]
    return sides if len(sides) > 1 else [question[:600]]
