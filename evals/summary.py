"""Summary of one method on a task: means with their intervals, times, and failed questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backtrail.evals.bootstrap import bootstrap_interval, bootstrap_pooled
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import PooledScorer, Scorer, Unit


@dataclass(frozen=True)
class Score:
    """Mean of one scorer over the ``count`` questions it applies to, with its 95 % interval."""

    name: str
    unit: Unit
    mean: float
    low: float
    high: float
    count: int
    table: str = ""


@dataclass(frozen=True)
class Summary:
    """Scores of a method. ``scores`` has those that apply to any question; seconds skip failed questions."""

    method: str
    questions: int
    scores: dict[str, Score]
    median_seconds: float | None
    p95_seconds: float | None
    failed: tuple[Outcome, ...]


def summarise(method: str, scorers: Sequence[Scorer], pairs: Sequence[tuple[Question, Outcome]]) -> Summary:
    """Score every question from its outcome, so that results stay usable when scorers or gold change."""
    scores = [score for scorer in scorers if (score := _score(scorer, pairs))]
    seconds = [outcome.seconds for _, outcome in pairs if outcome.error is None]
    return Summary(
        method=method,
        questions=len(pairs),
        scores={score.name: score for score in scores},
        median_seconds=float(np.median(seconds)) if seconds else None,
        p95_seconds=float(np.percentile(seconds, 95)) if seconds else None,
        failed=tuple(outcome for _, outcome in pairs if outcome.error is not None),
    )


def _score(scorer: Scorer, pairs: Sequence[tuple[Question, Outcome]]) -> Score | None:
    values = [value for question, outcome in pairs if (value := scorer(question, outcome)) is not None]
    if not values:
        return None
    if isinstance(scorer, PooledScorer):
        counted = [pair for pair in pairs if scorer(*pair) is not None]
        pool = scorer.over(counted)
        low, high = bootstrap_pooled(counted, pool)
        return Score(scorer.name, scorer.unit, pool(counted), low, high, len(counted), scorer.table)
    low, high = bootstrap_interval(values)
    return Score(scorer.name, scorer.unit, float(np.mean(values)), low, high, len(values), scorer.table)
