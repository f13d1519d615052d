"""Exponential backoff with jitter; a server's Retry-After takes precedence."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Number of tries, and waits in seconds.

    Args:
        max_attempts: requests sent before giving up, the first included.
        first_wait: wait after the first failure; doubles with each further one.
        longest_wait: ceiling of our own waits.
        longest_retry_after: ceiling of a wait that the server asks for.
    """

    max_attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 20.0
    longest_retry_after: float = 60.0
    jitter: Callable[[], float] = random.random

    def wait(self, failures: int, retry_after: float | None) -> float:
        """Return the seconds to wait after this many consecutive failures."""
        if retry_after is not None:
            # A little longer than requested: some servers still refuse at the exact moment.
            return min(retry_after, self.longest_retry_after) + 0.1 * self.jitter()
        full = min(self.longest_wait, self.first_wait * 2 ** (failures - 1))
        return full * (0.5 + 0.5 * self.jitter())
