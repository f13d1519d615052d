"""Listwise fit: weights by which the right things of each list have the largest share of the softmax over the list.

The loss is the mean over lists, each as often as it counts, of −log of the right things' share (for ``each``: the
cross-entropy with a target spread over them, as in ListNet by Cao et al., 2007), with a ridge penalty on standardised
weights. Newton's method with the covariance under the softmax, which bounds the curvature of both, from zero: it gives
the same weights each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_STEPS = 100
_HALVINGS = 20
# A step that betters the loss by less than this is the last.
_BETTER = 1e-9
# Keeps a signal that hardly varies from weighing much.
_SPREAD = 0.02


@dataclass(frozen=True)
class Choices:
    """What one question chooses among.

    Args:
        signals: one row a thing, one column a signal.
        right: how right each thing is, in [0, 1].
        given: the part of each thing's score that is not learnt.
        counts: as how many questions it counts.
    """

    signals: Floats
    right: Floats
    given: Floats
    counts: float = 1.0

    @property
    def teaches(self) -> bool:
        """Whether some thing is right and another is not."""
        return bool(self.right.max(initial=0.0) > 0.0 and self.right.min(initial=1.0) < 1.0)


def fit(lists: Sequence[Choices], *, penalty: float, each: bool) -> Floats:
    """One weight for each signal. Lists that teach nothing are left out; there must be one that does.

    Args:
        penalty: of the squares of the weights, each multiplied by the spread of its signal.
        each: whether every right thing should have its share, or together one as large as can be.
    """
    stacked = _Stacked([one for one in lists if one.teaches], penalty, each=each)
    weights = np.zeros(stacked.signals.shape[1])
    loss, slope, bend = stacked.at(weights)
    for _ in range(_STEPS):
        step = np.linalg.solve(bend, slope)
        for halved in range(_HALVINGS):
            tried = weights - step / 2**halved
            found = stacked.at(tried)
            if found[0] < loss:
                break
        else:
            break
        gained = loss - found[0]
        weights, (loss, slope, bend) = tried, found
        if gained < _BETTER:
            break
    return weights / stacked.spread


class _Stacked:
    """Lists one below the other, their signals divided by their spread."""

    def __init__(self, lists: Sequence[Choices], penalty: float, *, each: bool) -> None:
        signals = np.vstack([one.signals for one in lists])
        lengths = np.array([len(one.right) for one in lists])
        self.spread: Floats = signals.std(axis=0) + _SPREAD
        self.signals: Floats = signals / self.spread
        self._given = np.concatenate([one.given for one in lists])
        self._right = np.concatenate([one.right for one in lists])
        self._starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self._list_of = np.repeat(np.arange(len(lists)), lengths)
        counts = np.array([one.counts for one in lists], np.float64)
        self._counts: Floats = counts / counts.mean()
        self._penalty = penalty
        self._each = each

    def at(self, weights: Floats) -> tuple[float, Floats, Floats]:
        """Loss, its slope, and a bound of its curvature."""
        scores = self.signals @ weights + self._given
        highest = np.maximum.reduceat(scores, self._starts)[self._list_of]
        powers = np.exp(scores - highest)
        logs = scores - highest - np.log(self._summed(powers))[self._list_of]
        shares = np.exp(logs)
        if self._each:
            target = self._right / self._summed(self._right)[self._list_of]
            losses = self._summed(target * logs)
        else:
            held = np.maximum(self._summed(self._right * shares), np.finfo(np.float64).tiny)
            target = self._right * shares / held[self._list_of]
            losses = np.log(held)
        count, counted = len(self._starts), self._counts[self._list_of]
        means = np.add.reduceat(self.signals * shares[:, None], self._starts, axis=0)
        squares = (self.signals * (shares * counted)[:, None]).T @ self.signals
        bend = (squares - (means * self._counts[:, None]).T @ means) / count
        slope = self.signals.T @ ((shares - target) * counted) / count + self._penalty * weights
        loss = -float(self._counts @ losses) / count + self._penalty * float(weights @ weights) / 2
        return loss, slope, bend + self._penalty * np.eye(len(weights))

    def _summed(self, values: Floats) -> Floats:
        return np.add.reduceat(values, self._starts)
