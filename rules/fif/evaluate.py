"""Judge a hop by measured coverage: does a component, or a path to it, meet the subtask's constraints?"""

from __future__ import annotations

from backtrail.language.terms import content_terms
from backtrail.rules.fit import alone
from backtrail.state.fif.evaluate_decisions import EvaluateInputs, Evaluation, ReadComponent, Resolved
from backtrail.state.fif.memory_views import SubqueryView

# From here on a component is clearly relevant, and its links are worth following: on linked tables
# 97 of 100 best components above this were the right ones.
LEADS_ON = 0.4
# From here on the constraints are met well enough to count the subtask as answered.
ANSWERS = 0.65
# One component alone must meet nearly every constraint: a question that repeats its words is not yet answered.
COMPLETE = 0.95


def evaluate(inputs: EvaluateInputs) -> Evaluation:
    """Success when something covers the subtask, or covers a part and leads on to documents not yet read."""
    if not inputs.components:
        return Evaluation(answerable=False, reason="Nothing was found.")
    ranked = sorted(inputs.components, key=lambda component: (-_fit(component), component.id))
    best = ranked[0]
    covered = max(best.coverage, best.path_coverage)
    relevant = [component.id for component in ranked if max(component.coverage, component.path_coverage) >= LEADS_ON]
    hub = next((component for component in ranked if component.links and component.coverage >= LEADS_ON), None)
    several = len(inputs.open_subqueries) > 1
    if covered >= (ANSWERS if best.parent else COMPLETE):
        return Evaluation(
            answerable=True,
            relevant=relevant,
            resolved=_resolved(inputs, best, inputs.open_subqueries),
            reason=f"{best.title[:120]} covers {covered:.0%} of the subtask{_along(best)}.",
        )
    inner = [subquery for subquery in inputs.open_subqueries if subquery.id == inputs.subquery_id]
    if hub is not None and hub.parent is None and several:
        return Evaluation(
            answerable=True,
            relevant=relevant,
            resolved=_resolved(inputs, hub, inner),
            reason=f"{hub.title[:120]} covers {hub.coverage:.0%} of the subtask and links to {hub.links} documents.",
        )
    return Evaluation(
        answerable=False,
        relevant=relevant,
        reason=f"The best component, {best.title[:120]}, covers only {covered:.0%} of the subtask{_along(best)}.",
    )


def _fit(component: ReadComponent) -> float:
    covered = max(component.coverage, component.path_coverage)
    return alone(covered, component.similarity, component.context, table=component.modality == "table")


def _along(component: ReadComponent) -> str:
    return f", read together with {component.anchor_text[:80]!r}, which leads there" if component.parent else ""


def _resolved(inputs: EvaluateInputs, component: ReadComponent, subqueries: list[SubqueryView]) -> list[Resolved]:
    return [
        Resolved(subquery_id=subquery.id, answer=tentative_answer(subquery.text, component), component=component.id)
        for subquery in subqueries
    ]


def tentative_answer(subquery: str, component: ReadComponent) -> str:
    """The entity a component contributes: the best row's cell that the subquery does not name, or its title."""
    asked = content_terms(subquery)
    lines = component.text.split("\n")[2:] if component.modality == "table" else []
    rows = [line.split(": ", 1)[1] for line in lines if ": " in line]
    if not rows:
        return component.title[:400]
    best = max(rows, key=lambda row: len(content_terms(row) & asked))
    unnamed = [cell.strip() for cell in best.split(" | ") if cell.strip() and not content_terms(cell) & asked]
    named = next((cell for cell in unnamed if cell[0].isupper()), None)
    return (named or best)[:400]
