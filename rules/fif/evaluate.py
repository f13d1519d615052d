"""Judge a hop by measured coverage: does a component, or a path to it, meet the subtask's constraints?"""

from __future__ import annotations

from backtrail.language.terms import content_terms
from backtrail.rules.relevance import alone
from backtrail.state.fif.evaluate_decisions import EvaluateInputs, Evaluation, ReadComponent, Resolved
from backtrail.state.fif.memory_views import SubqueryView

# Least coverage of a relevant component, whose links are worth following: on linked tables
# 97 of 100 best components above this were the right ones.
LEADS_ON = 0.4
# Least coverage that counts the subtask as answered.
ANSWERS = 0.65
# A single component needs nearly full coverage: a question that repeats its words is not yet answered.
COMPLETE = 0.95


def evaluate(inputs: EvaluateInputs) -> Evaluation:
    """Judge success: coverage of the subtask or a subquery, or of a part with links to unread documents.

    Subqueries are judged separately: a component that fully covers one covers little of the whole question.
    """
    if not inputs.components:
        return Evaluation(answerable=False, reason="Nothing was found.")
    ranked = sorted(inputs.components, key=lambda component: (-_fit(component), component.id))
    best = ranked[0]
    covered = max(best.coverage, best.path_coverage)
    relevant = [component.id for component in ranked if max(component.coverage, component.path_coverage) >= LEADS_ON]
    if covered >= _enough(best):
        return Evaluation(
            answerable=True,
            relevant=relevant,
            resolved=[_resolved(one, best) for one in inputs.open_subqueries],
            reason=f"{best.title[:120]} covers {covered:.0%} of the subtask{_along(best)}.",
        )
    covering = {one.id: match for one in inputs.open_subqueries if (match := _covering(ranked, one.id)) is not None}
    hub = _hub(inputs, ranked)
    if hub is not None and inputs.subquery_id:
        covering.setdefault(inputs.subquery_id, hub)
    answered = [_resolved(one, covering[one.id]) for one in inputs.open_subqueries if one.id in covering]
    reason = f"The best component, {best.title[:120]}, covers only {covered:.0%} of the subtask{_along(best)}."
    if hub is not None:
        part = hub.parts.get(inputs.subquery_id or "", hub.coverage)
        reason = f"{hub.title[:120]} covers {part:.0%} of the subtask and links to {hub.links} documents."
    elif answered:
        key, match = next(iter(covering.items()))
        reason = f"{match.title[:120]} covers {match.parts[key]:.0%} of the subquery {key}."
    shown = [one.id for one in covering.values()] if hub is None else []
    return Evaluation(
        answerable=hub is not None or bool(answered),
        relevant=list(dict.fromkeys([*shown, *relevant])),
        resolved=answered,
        reason=reason,
    )


def _enough(component: ReadComponent) -> float:
    return ANSWERS if component.parent else COMPLETE


def _covering(ranked: list[ReadComponent], subquery: str) -> ReadComponent | None:
    """Return the first component whose coverage of a subquery is enough to answer it."""
    return next((one for one in ranked if one.parts.get(subquery, 0.0) >= _enough(one)), None)


def _hub(inputs: EvaluateInputs, ranked: list[ReadComponent]) -> ReadComponent | None:
    """Return the first component with links that covers part of the subquery, if others are open too."""
    if len(inputs.open_subqueries) < 2:
        return None
    part = inputs.subquery_id or ""
    hub = next((one for one in ranked if one.links and one.parts.get(part, one.coverage) >= LEADS_ON), None)
    return hub if hub is not None and hub.parent is None else None


def _fit(component: ReadComponent) -> float:
    covered = max(component.coverage, component.path_coverage)
    return alone(covered, component.similarity, component.context, table=component.modality == "table")


def _along(component: ReadComponent) -> str:
    return f", read together with {component.anchor_text[:80]!r}, which leads there" if component.parent else ""


def _resolved(subquery: SubqueryView, component: ReadComponent) -> Resolved:
    return Resolved(subquery_id=subquery.id, answer=tentative_answer(subquery.text, component), component=component.id)


def tentative_answer(subquery: str, component: ReadComponent) -> str:
    """Return the best row's cell that the subquery does not name, or the component's title."""
    asked = content_terms(subquery)
    lines = component.text.split("\n")[2:] if component.modality == "table" else []
    rows = [line.split(": ", 1)[1] for line in lines if ": " in line]
    if not rows:
        return component.title[:400]
    best = max(rows, key=lambda row: len(content_terms(row) & asked))
    unnamed = [cell.strip() for cell in best.split(" | ") if cell.strip() and not content_terms(cell) & asked]
    named = next((cell for cell in unnamed if cell[0].isupper()), None)
    return (named or best)[:400]
