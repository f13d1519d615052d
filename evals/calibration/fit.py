"""Fit: logistic regression of right readings on their signals, and held-out probabilities for every one of them.

Ridge-penalised maximum likelihood by Newton's method (iteratively reweighted least squares), under the signs that
signals must have. What is held out is a whole corpus: a calibration is used on documents that it was not made of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backtrail.evals.calibration.case import Case
from backtrail.evals.errors import TooFewQuestions
from backtrail.rules.reader.signals import SIGNALS, SPEAK_AGAINST, SPEAK_FOR

Floats = npt.NDArray[np.float64]

# Fewer readings, or fewer right or wrong ones, tell nothing of so many signals (ours).
LEAST_READ = 100
LEAST_OF_A_KIND = 20
# Weight of the ridge penalty on each standardised weight; the best by held-out likelihood is taken.
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
# Parts of the questions where there is only one corpus to make folds of.
FOLDS = 5
_STEPS = 50
_HALVINGS = 30
_SMALLEST = 1e-3
# Of the intercept and of each signal, in order: weights that its sign allows.
_LOWEST = np.array([-np.inf, *(0.0 if name in SPEAK_FOR else -np.inf for name in SIGNALS)])
_HIGHEST = np.array([np.inf, *(0.0 if name in SPEAK_AGAINST else np.inf for name in SIGNALS)])


@dataclass(frozen=True)
class Fitted:
    """A logistic model over signals, each minus its mean and divided by its spread."""

    intercept: float
    means: Floats
    spreads: Floats
    weights: Floats

    def probabilities(self, cases: Sequence[Case]) -> Floats:
        """One for each case, in [0, 1]."""
        raw = _signals(cases)
        known = np.where(np.isnan(raw), self.means, raw)
        return _sigmoid(self.intercept + (known - self.means) / self.spreads @ self.weights)


@dataclass(frozen=True)
class Held:
    """Readings with the probability that a model gave which had not seen their fold."""

    cases: list[Case]
    probabilities: Floats
    strength: float


def check(cases: Sequence[Case]) -> None:
    """Refuse what is too little to fit.

    Raises:
        TooFewQuestions: with what there is and what is needed.
    """
    read = [case for case in cases if case.read]
    right = sum(case.right for case in read)
    if len(read) < LEAST_READ or min(right, len(read) - right) < LEAST_OF_A_KIND:
        raise TooFewQuestions(len(cases), len(read), right, LEAST_READ, LEAST_OF_A_KIND)


def fit(cases: Sequence[Case], strength: float) -> Fitted:
    """The most likely weights, drawn to zero by the penalty; none of the sign that its signal cannot have.

    Newton's method on the weights that are not held at zero by their sign, each step halved until the loss falls.
    """
    raw = _signals(cases)
    right = np.array([case.right for case in cases], np.float64)
    known = ~np.isnan(raw)
    means = np.where(known, raw, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    raw = np.where(known, raw, means)  # what a way of reading does not tell says nothing either way
    spreads = np.maximum(raw.std(axis=0), _SMALLEST)
    table = np.hstack([np.ones((len(raw), 1)), (raw - means) / spreads])
    penalty = np.full(table.shape[1], strength)
    penalty[0] = 1e-6
    weights = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        given = _sigmoid(table @ weights)
        slope = table.T @ (given - right) + penalty * weights
        bend = (table * (given * (1 - given))[:, None]).T @ table + np.diag(penalty)
        held = (weights == 0.0) & (((slope > 0) & (_LOWEST == 0.0)) | ((slope < 0) & (_HIGHEST == 0.0)))
        free = np.flatnonzero(~held)
        step = np.zeros_like(weights)
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        moved = _moved(table, right, penalty, weights, step)
        if np.abs(moved - weights).max() < 1e-8:
            break
        weights = moved
    return Fitted(float(weights[0]), means, spreads, weights[1:])


def _moved(table: Floats, right: Floats, penalty: Floats, weights: Floats, step: Floats) -> Floats:
    """The weights after a step, or after the largest halving of it that lowers the loss, within their signs."""

    def loss(tried: Floats) -> float:
        scores = table @ tried
        return float((np.logaddexp(0.0, scores) - right * scores).sum() + (penalty * tried * tried).sum() / 2)

    now = loss(weights)
    for halved in range(_HALVINGS):
        tried = np.clip(weights - step / 2**halved, _LOWEST, _HIGHEST)
        if loss(tried) < now:
            return tried
    return weights


def folds(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Readings by corpus; of a single corpus by the hash of the question."""
    corpora = {case.corpus for case in cases}
    parts: dict[str, list[Case]] = {}
    for case in cases:
        drawn = int.from_bytes(hashlib.sha256(case.question.encode()).digest()[:4], "big") % FOLDS
        parts.setdefault(case.corpus if len(corpora) > 1 else f"fold {drawn + 1}", []).append(case)
    return parts


def held_out(cases: Sequence[Case]) -> Held:
    """Every reading with its probability by a model of the other folds, at the strength that suits unseen ones best."""
    parts = folds([case for case in cases if case.read])
    best: tuple[float, Held] | None = None
    for strength in STRENGTHS:
        seen: list[Case] = []
        given: list[Floats] = []
        for name, part in parts.items():
            others = [case for other, held in parts.items() if other != name for case in held]
            seen += part
            given.append(fit(others, strength).probabilities(part))
        held = Held(seen, np.concatenate(given), strength)
        loss = log_loss(held)
        if best is None or loss < best[0]:
            best = (loss, held)
    assert best is not None
    return best[1]


def log_loss(held: Held) -> float:
    """Mean of −log of the probability of what happened, each corpus weighing the same."""
    losses: dict[str, list[float]] = {}
    for case, given in zip(held.cases, held.probabilities, strict=True):
        happened = given if case.right else 1.0 - given
        losses.setdefault(case.corpus, []).append(-float(np.log(max(1e-9, happened))))
    return float(np.mean([np.mean(part) for part in losses.values()]))


def weights_of(model: Fitted) -> Mapping[str, tuple[float, float, float]]:
    """Mean, spread and weight by signal."""
    rounded = (np.round(one, 4) for one in (model.means, model.spreads, model.weights))
    return {name: (float(a), float(b), float(c)) for name, a, b, c in zip(SIGNALS, *rounded, strict=True)}


def _signals(cases: Sequence[Case]) -> Floats:
    return np.array([[case.signals.get(name, np.nan) for name in SIGNALS] for case in cases], np.float64)


def _sigmoid(values: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0)))
