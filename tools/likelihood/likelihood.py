"""The likelihood of a text."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Likelihood:
    """How likely a model would have said a text.

    Args:
        logprob: natural logarithm of the probability of all its tokens, each after those before it.
        tokens: how many of them count.
        exact: False where a token was not among the likeliest that the server names: then ``logprob`` is an upper
            bound, and later tokens are not counted.
    """

    text: str
    logprob: float
    tokens: int
    exact: bool = True

    @property
    def mean(self) -> float:
        """Mean log-probability of a token, so that long texts are not held to be unlikely for their length."""
        return self.logprob / max(1, self.tokens)


def likeliest(found: list[Likelihood]) -> Likelihood:
    """The one with the highest mean; exact ones go before bounds that are as high."""
    return max(found, key=lambda one: (one.mean if not math.isnan(one.mean) else -math.inf, one.exact))
