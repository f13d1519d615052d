"""Scorers of every evaluation, whatever its task."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.citations import citation_scorers
from backtrail.evals.scorers.effort import effort_scorers
from backtrail.evals.scorers.retrieval import ranking_scorers
from backtrail.evals.scorers.stages import spending_scorers


def scorers_of_all() -> tuple[Scorer, ...]:
    """Ranking, spending, citations and effort, each in a table of its own."""
    return (*ranking_scorers(), *spending_scorers(), *citation_scorers(), *effort_scorers())


def with_common(own: Sequence[Scorer]) -> tuple[Scorer, ...]:
    """A task's own scorers, then those of every evaluation that it does not have under the same name."""
    names = {scorer.name for scorer in own}
    return (*own, *(scorer for scorer in scorers_of_all() if scorer.name not in names))
