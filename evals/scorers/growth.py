"""Scorers of the growth of a planning graph: turns, dead branches, and recovered branches."""

from __future__ import annotations

from collections.abc import Callable

from backtrail.evals.outcome import Outcome
from backtrail.evals.planning_graph_growth import PlanningGraphGrowth
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer


def growth_scorers() -> tuple[Scorer, ...]:
    """Means over the questions of methods with a planning graph; others are skipped."""
    return (
        _count("Turns", lambda grown: grown.turns),
        _count("Dead branches", lambda grown: grown.dead_ends),
        _count("Recovered branches", lambda grown: grown.recovered),
    )


def _count(name: str, counted: Callable[[PlanningGraphGrowth], int]) -> Scorer:
    def measure(question: Question, outcome: Outcome) -> float | None:
        return None if outcome.growth is None else float(counted(outcome.growth))

    return Scorer(name, measure, "count")
