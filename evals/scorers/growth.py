"""How a planning graph grew: turns, dead branches, and how many of these were made good by another branch."""

from __future__ import annotations

from collections.abc import Callable

from backtrail.evals.outcome import Outcome
from backtrail.evals.planning_graph_growth import PlanningGraphGrowth
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer


def growth_scorers() -> tuple[Scorer, ...]:
    """Means over the questions of methods that keep a planning graph; others are left out."""
    return (
        _count("Turns", lambda grown: grown.turns),
        _count("Dead branches", lambda grown: grown.dead),
        _count("Recovered branches", lambda grown: grown.recovered),
    )


def _count(name: str, counted: Callable[[PlanningGraphGrowth], int]) -> Scorer:
    def measure(question: Question, outcome: Outcome) -> float | None:
        return None if outcome.grown is None else float(counted(outcome.grown))

    return Scorer(name, measure, "count")
