"""The offline overall plan: the clauses of the question, inner ones first."""

from __future__ import annotations

from backtrail.rules.decompose import decompose
from backtrail.state.decompose_decisions import DecomposeInputs
from backtrail.state.mmapg.planning_decisions import KeyPart, OverallPlan, OverallPlanInputs


def overall_plan(inputs: OverallPlanInputs) -> OverallPlan:
    """One to six parts whose words are the question's own."""
    planned = decompose(DecomposeInputs(question=inputs.question, has_picture=inputs.has_picture))
    return OverallPlan(components=[KeyPart(text=part.text, needs=part.depends_on) for part in planned.subqueries])
