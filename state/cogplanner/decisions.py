"""Decisions of CogPlanner's planning expert: F_QR reformulates, F_IA chooses the search (3.1)."""

from __future__ import annotations

from backtrail.state.decision import Decision
from backtrail.state.planned_search import (
    QUERY_CHARACTERS,
    PlannedSearch,
    PlanSearchInputs,
    Reformulated,
    ReformulateInputs,
    Routed,
    RouteInputs,
)


def searchable(inputs: ReformulateInputs, reformulated: Reformulated) -> list[str]:
    """Check that queries are not empty, too long or too many."""
    problems = [
        f"Query {place} is empty or longer than {QUERY_CHARACTERS} characters."
        for place, query in enumerate(reformulated.queries)
        if not 0 < len(query.strip()) <= QUERY_CHARACTERS
    ]
    if len(reformulated.queries) > inputs.most_queries:
        problems.append(f"There are {len(reformulated.queries)} queries; at most {inputs.most_queries} are allowed.")
    return problems


REFORMULATE = Decision("cogplanner_reformulate", ReformulateInputs, Reformulated, "planner", searchable)


ROUTE = Decision("cogplanner_route", RouteInputs, Routed, "planner")
PLAN = Decision("cogplanner_plan", PlanSearchInputs, PlannedSearch, "planner")
"""Both in one decision (ours)."""
