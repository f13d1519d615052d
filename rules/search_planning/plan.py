"""Plan a round in one decision by rule: reformulate, then choose the search. Rules never answer beside it."""

from __future__ import annotations

from backtrail.rules.search_planning.reformulate import reformulate
from backtrail.rules.search_planning.route import route
from backtrail.state.planned_search import PlannedSearch, PlanSearchInputs, ReformulateInputs, RouteInputs


def plan(inputs: PlanSearchInputs) -> PlannedSearch:
    """The action for the queries that would be written."""
    shared = {name: getattr(inputs, name) for name in ("question", "has_picture", "rounds", "elements")}
    written = reformulate(ReformulateInputs(**shared, queries=inputs.queries, most_queries=inputs.most_queries))
    chosen = route(RouteInputs(**shared, queries=written.queries, rounds_left=inputs.rounds_left))
    return PlannedSearch(action=chosen.action, queries=written.queries, why=f"{written.why} {chosen.why}".strip())
