"""Retry bulk embedding while the server is overloaded, up to a limit."""

from __future__ import annotations

import time
from collections.abc import Callable

from backtrail.tools.embedders.errors import EmbedderUnavailable

LONGEST_S = 600.0
"""Without any answer (ours): limits count minutes, so that a server which says no for ten has something else."""


class Overrun:
    """Told of each answer and each failure, it says whether what failed is worth asking again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._refused_since: float | None = None

    def answered(self) -> None:
        """The server gave vectors."""
        self._refused_since = None

    def asks_again(self, error: BaseException) -> bool:
        """Whether the server only wants to be asked later, and has not said so for too long."""
        if not isinstance(error, EmbedderUnavailable) or not error.overrun:
            return False
        now = self._clock()
        self._refused_since = now if self._refused_since is None else self._refused_since
        return now - self._refused_since < LONGEST_S
