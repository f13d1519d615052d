"""Bootstrap confidence intervals of means and pooled measures over the sampled questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

RESAMPLES = 1_000
SEED = 20_260_101
_DRAWN_AT_ONCE = 1_000_000  # numbers, of 16 bytes with their indices


def bootstrap_interval(values: Sequence[float], resamples: int = RESAMPLES, seed: int = SEED) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean (Efron, 1979). Deterministic.

    Raises:
        ValueError: there are no values.
    """
    if not len(values):
        raise ValueError("An interval needs at least one value.")
    # Sorted, so that the interval does not depend on the order of the questions.
    sample = np.sort(np.asarray(values, np.float64))
    random = np.random.default_rng(seed)
    batch = max(1, _DRAWN_AT_ONCE // len(sample))
    rounds = (min(batch, resamples - done) for done in range(0, resamples, batch))
    drawn = [sample[random.integers(len(sample), size=(count, len(sample)))].mean(axis=1) for count in rounds]
    low, high = np.percentile(np.concatenate(drawn), [2.5, 97.5])
    return float(low), float(high)


def bootstrap_pooled(
    items: Sequence[T], measure: Callable[[Sequence[T]], float], resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[float, float]:
    """Return the 95 % percentile interval of a pooled measure. Deterministic for one order of items.

    Raises:
        ValueError: there are no items.
    """
    if not items:
        raise ValueError("An interval needs at least one item.")
    random = np.random.default_rng(seed)
    drawn = (random.integers(len(items), size=len(items)) for _ in range(resamples))
    values = [measure([items[place] for place in places]) for places in drawn]
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
