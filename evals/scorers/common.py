"""Scorers of every evaluation, whatever its task."""

from __future__ import annotations

from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.citations import citation_scorers
from backtrail.evals.scorers.effort import effort_scorers


def scorers_of_all() -> tuple[Scorer, ...]:
    """Citations and effort, each in a table of its own."""
    return (*citation_scorers(), *effort_scorers())
