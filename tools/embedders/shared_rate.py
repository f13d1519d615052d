"""Shared request rate of a server: a refusal slows down all requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Pace:
    """Limits concurrent requests, and sends none during a server's Retry-After. Thread-safe.

    The limit is halved when the server refuses a request and grows by one per as many answers, up to its start value
    (additive increase, multiplicative decrease: Jacobson, "Congestion Avoidance and Control", 1988).
    """

    def __init__(self, at_once: int) -> None:
        self._most = at_once
        self._width = float(at_once)
        self._running = 0
        self._not_before = self._narrowed = -1.0
        self._changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[float]:
        """Wait for a slot and occupy it; yields its start time, for ``refused``."""
        with self._changed:
            while True:
                wait = self._not_before - time.monotonic()
                if wait <= 0 and self._running < int(self._width):
                    break
                self._changed.wait(wait if wait > 0 else None)
            self._running += 1
        try:
            yield time.monotonic()
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def answered(self) -> None:
        """Record an answered request."""
        with self._changed:
            self._width = min(self._most, self._width + 1 / self._width)
            self._changed.notify_all()

    def refused(self, began: float, wait: float) -> None:
        """Record a refused request by its start time: send nothing for ``wait`` seconds.

        Of concurrent refused requests, only the first lowers the limit.
        """
        with self._changed:
            now = time.monotonic()
            self._not_before = max(self._not_before, now + wait)
            if began > self._narrowed:
                self._width, self._narrowed = max(1.0, self._width / 2), now
