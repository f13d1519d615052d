"""The router: multinomial logistic regression over hashed words, which tells what a question needs.

Its weights lie beside this file and were made by ``python -m backtrail.training.route_classifier``.
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
        """Of each need; they sum to 1."""
        found = buckets(question)
        scores = self.bias.astype(np.float64)
        if found:
            scores = scores + self.weights[found].astype(np.float64).sum(axis=0) / np.sqrt(len(found))
        powers = np.exp(scores - scores.max())
        return dict(zip(NEEDS, (powers / powers.sum()).tolist(), strict=True))

    def save(self, file: Path) -> None:
        """Half precision is enough for a choice among three."""
        np.savez_compressed(file, weights=self.weights.astype(np.float16), bias=self.bias.astype(np.float16))


def load_router(file: Path) -> Router:
    """Trained weights from a file. Reads the disk: not for event loops.

    Raises:
        ValueError: the file was made for other features.
    """
    with np.load(file, allow_pickle=False) as held:
        weights, bias = held["weights"].astype(np.float32), held["bias"].astype(np.float32)
    if weights.shape != (BUCKETS, len(NEEDS)) or bias.shape != (len(NEEDS),):
        raise ValueError(
            f"{file} holds weights of shape {weights.shape}, these features need {(BUCKETS, len(NEEDS))}. "
            "Make them anew with `python -m backtrail.training.route_classifier`."
        )
    return Router(weights, bias)


@cache
def shipped_router() -> Router:
    """The router that comes with this package, read once per process. Async code calls it in a thread first."""
    return load_router(WEIGHTS)
