"""Retry bulk embedding while the server is overloaded, up to a limit."""

from __future__ import annotations

import time
from collections.abc import Callable

from backtrail.tools.embedders.errors import EmbedderUnavailable

LONGEST_S = 600.0
"""Seconds without any answer before giving up (ours): rate limits are per minute, so that ten mean another fault."""


class OverloadRetries:
    """Tracks answers and failures, and decides whether a failed request is worth a retry."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._refused_since: float | None = None

    def answered(self) -> None:
        """Record that the server gave vectors."""
        self._refused_since = None

    def asks_again(self, error: BaseException) -> bool:
        """Whether the failure is an overload that has not lasted too long."""
        if not isinstance(error, EmbedderUnavailable) or not error.overrun:
            return False
        now = self._clock()
        self._refused_since = now if self._refused_since is None else self._refused_since
        return now - self._refused_since < LONGEST_S
