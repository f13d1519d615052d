"""Replan by narrowing: search for the constraints that nothing found so far meets."""

from __future__ import annotations

from backtrail.language.terms import content_terms, stem, words
from backtrail.state.decompose_decisions import PlannedSubquery
from backtrail.state.fif.orchestrate_decisions import PlanInputs, Replan


def plan(inputs: PlanInputs) -> Replan:
    """Return one subquery of the unmet words and the best entity; a broader one if all are met."""
    seen = content_terms(" ".join(f"{found.title} {found.snippet}" for hop in inputs.memory for found in hop.found))
    unmet = [word for word in words(inputs.question) if stem(word) not in seen]
    answers = [subquery.answer for subquery in inputs.subqueries if subquery.answer]
    text = " ".join([*unmet, *answers[-1:]]) or " ".join(words(inputs.question)) or inputs.question
    return Replan(subqueries=[PlannedSubquery(text=text[:400])])
