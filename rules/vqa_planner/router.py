"""The router: multinomial logistic regression over hashed words, which predicts a question's needs.

Its weights are beside this file; ``python -m backtrail.training.route_classifier`` trains them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from backtrail.rules.vqa_planner.features import BUCKETS, buckets

Need = Literal["none", "image", "text"]
NEEDS: tuple[Need, ...] = ("none", "image", "text")
WEIGHTS = Path(__file__).with_name("router.npz")


@dataclass(frozen=True)
class Router:
    """Trained weights.

    Args:
        weights: per bucket and need, in the order of ``NEEDS``.
        bias: per need.
    """

    weights: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]

    def probabilities(self, question: str) -> dict[Need, float]:
        """Return the probability of each need; they sum to 1."""
        found = buckets(question)
        scores = self.bias.astype(np.float64)
        if found:
            scores = scores + self.weights[found].astype(np.float64).sum(axis=0) / np.sqrt(len(found))
        powers = np.exp(scores - scores.max())
        return dict(zip(NEEDS, (powers / powers.sum()).tolist(), strict=True))

    def save(self, file: Path) -> None:
        """Save the weights in half precision, which is enough for three classes."""
        np.savez_compressed(file, weights=self.weights.astype(np.float16), bias=self.bias.astype(np.float16))


def load_router(file: Path) -> Router:
    """Load trained weights from a file. Blocking: do not call it in an event loop.

    Raises:
        ValueError: the file was made for other features.
    """
    with np.load(file, allow_pickle=False) as stored:
        weights, bias = stored["weights"].astype(np.float32), stored["bias"].astype(np.float32)
    if weights.shape != (BUCKETS, len(NEEDS)) or bias.shape != (len(NEEDS),):
        raise ValueError(
            f"{file} has weights of shape {weights.shape}, but these features need {(BUCKETS, len(NEEDS))}. "
            "Train them again with `python -m backtrail.training.route_classifier`."
        )
    return Router(weights, bias)


@cache
def shipped_router() -> Router:
    """Return the packaged router, loaded once per process. Async code first calls it in a thread."""
    return load_router(WEIGHTS)
