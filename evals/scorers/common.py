"""Scorers common to all evaluations."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.citations import citation_scorers
from backtrail.evals.scorers.effort import effort_scorers
from backtrail.evals.scorers.retrieval import ranking_scorers
from backtrail.evals.scorers.stages import spending_scorers


def scorers_of_all() -> tuple[Scorer, ...]:
    """Ranking, spending, citations and effort, each in a separate table."""
    return (*ranking_scorers(), *spending_scorers(), *citation_scorers(), *effort_scorers())


def with_common(own: Sequence[Scorer]) -> tuple[Scorer, ...]:
    """Return a task's scorers, then the common ones with other names."""
    names = {scorer.name for scorer in own}
    return (*own, *(scorer for scorer in scorers_of_all() if scorer.name not in names))
