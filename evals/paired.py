"""Paired differences of methods on the same questions, with intervals and p values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backtrail.evals.bootstrap import SEED, bootstrap_interval
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import PooledScorer, Scorer

FLIPS = 5_000
CHUNK = 500
Pairs = Sequence[tuple[Question, Outcome]]


@dataclass(frozen=True)
class Difference:
    """Mean difference of two methods' scores over the questions that both finished, with 95 % interval.

    ``better`` and ``worse`` count the questions on which the scores differ. ``p`` is that of the randomised sign test:
    how often a difference this large occurs when the two scores of each question are swapped at random.
    """

    scorer: str
    mean: float
    low: float
    high: float
    count: int
    better: int
    worse: int
    p: float


def differences(scorers: Sequence[Scorer], pairs: Pairs, against: Pairs) -> dict[str, Difference]:
    """Return the difference of each scorer that is a mean of shares, over questions with both scores.

    The bootstrap draws questions, so that each draw compares both methods on the same ones.
    """
    other = {(question.id, question.fingerprint): outcome for question, outcome in against}
    both = [
        (question, one, other[key]) for question, one in pairs if (key := (question.id, question.fingerprint)) in other
    ]
    found = (_difference(scorer, both) for scorer in scorers if scorer.unit == "share")
    return {one.scorer: one for one in found if one is not None}


def _difference(scorer: Scorer, both: Sequence[tuple[Question, Outcome, Outcome]]) -> Difference | None:
    if isinstance(scorer, PooledScorer):
        return None
    scored = [(scorer(question, one), scorer(question, other)) for question, one, other in both]
    gaps = [one - other for one, other in scored if one is not None and other is not None]
    return difference_of(scorer.name, gaps) if gaps else None


def difference_of(scorer: str, gaps: Sequence[float]) -> Difference:
    """Return the difference of one scorer from its gaps, one per question.

    Raises:
        ValueError: there are no gaps.
    """
    low, high = bootstrap_interval(gaps)
    better, worse = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return Difference(scorer, float(np.mean(gaps)), low, high, len(gaps), better, worse, sign_flip_p(gaps))


def sign_flip_p(gaps: Sequence[float], flips: int = FLIPS, seed: int = SEED) -> float:
    """Return the two-sided p of paired gaps under random signs (Fisher, 1935), counting the observed one."""
    differing = np.asarray([gap for gap in gaps if gap], np.float64)
    if not len(differing):
        return 1.0
    random = np.random.default_rng(seed)
    observed, extreme = abs(differing.sum()), 1
    for _ in range(0, flips, CHUNK):
        signs = random.integers(0, 2, size=(CHUNK, len(differing))) * 2 - 1
        extreme += int((np.abs(signs @ differing) >= observed - 1e-9).sum())
    return extreme / (flips + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Return the p values of several comparisons, adjusted (Holm, 1979), in the given order."""
    adjusted, least = [1.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda index: values[index])):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = least
    return adjusted
