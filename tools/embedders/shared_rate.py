"""One request rate for all requests to a server; a refusal slows all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Pace:
    """Lets so many requests go at once, and none while the server wants to be left alone. Safe between threads.

    How many go is halved when the server refuses one and grows by one for each such number of answers, up to where it
    began (additive increase, multiplicative decrease: Jacobson, "Congestion Avoidance and Control", 1988).
    """

    def __init__(self, at_once: int) -> None:
        self._most = at_once
        self._width = float(at_once)
        self._running = 0
        self._not_before = self._narrowed = -1.0
        self._changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[float]:
        """Wait for a turn and hold it; gives when it began, for ``refused``."""
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
        """A request was answered."""
        with self._changed:
            self._width = min(self._most, self._width + 1 / self._width)
            self._changed.notify_all()

    def refused(self, began: float, wait: float) -> None:
        """A request that began then was one too many: nobody sends for so many seconds.

        Of those that were under way together only the first makes fewer go.
        """
        with self._changed:
            now = time.monotonic()
            self._not_before = max(self._not_before, now + wait)
            if began > self._narrowed:
                self._width, self._narrowed = max(1.0, self._width / 2), now
