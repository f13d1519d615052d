"""Plan a round in one decision: reformulate, then choose the search. Rules do not answer here."""

from __future__ import annotations

from backtrail.rules.search_planning.reformulate import reformulate
from backtrail.rules.search_planning.route import route
from backtrail.state.planned_search import PlannedSearch, PlanSearchInputs, ReformulateInputs, RouteInputs


def plan(inputs: PlanSearchInputs) -> PlannedSearch:
    """Return the action for the reformulated queries."""
    shared = {name: getattr(inputs, name) for name in ("question", "has_picture", "rounds", "elements")}
    written = reformulate(ReformulateInputs(**shared, queries=inputs.queries, most_queries=inputs.most_queries))
    chosen = route(RouteInputs(**shared, queries=written.queries, rounds_left=inputs.rounds_left))
    return PlannedSearch(action=chosen.action, queries=written.queries, why=f"{written.why} {chosen.why}".strip())
