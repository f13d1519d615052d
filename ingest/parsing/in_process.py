"""Time limits for parsing in the ingest's own process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import TypeVar

_AGAIN = 1.0
"""Seconds after which the timeout is raised again, because libraries swallow exceptions in callbacks."""

T = TypeVar("T")


class TookTooLong(BaseException):
    """The time limit was reached."""


def can_bound() -> bool:
    """Return whether time can be limited here: only in the main thread, and not on every system."""
    return threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")


def bounded(entries: Iterator[T], seconds: float) -> Iterator[T]:
    """Yield entries, each within a limit of processor seconds.

    Code that hangs in a library is interrupted when it returns to Python. Requires ``can_bound``.

    Raises:
        TookTooLong: an entry took longer.
    """
    while True:
        armed = True

        def ring(*_: object) -> None:
            if armed:  # noqa: B023 - meant: the variable of this iteration
                raise TookTooLong

        before = signal.signal(signal.SIGPROF, ring)
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        try:
            entry = next(entries, None)
        finally:
            armed = False
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
        if entry is None:
            return
        yield entry
