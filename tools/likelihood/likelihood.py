"""The likelihood of a text."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Likelihood:
    """Likelihood of a text under a model.

    Args:
        logprob: natural logarithm of the probability of all its tokens, each given those before it.
        tokens: number of counted tokens.
        exact: False if a token was not among the server's most likely ones: then ``logprob`` is an upper bound,
            and later tokens are not counted.
    """

    text: str
    logprob: float
    tokens: int
    exact: bool = True

    @property
    def mean(self) -> float:
        """Mean log probability per token, which does not penalise long texts."""
        return self.logprob / max(1, self.tokens)


def likeliest(found: list[Likelihood]) -> Likelihood:
    """Return the likelihood with the highest mean; ties prefer exact ones."""
    return max(found, key=lambda one: (one.mean if not math.isnan(one.mean) else -math.inf, one.exact))
