"""Parse in the ingest's own process, with a time limit."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import TypeVar

_AGAIN = 1.0
"""Seconds after which a parser that did not hear that it took too long is told again: libraries swallow what is raised
while they call back."""

T = TypeVar("T")


class TookTooLong(BaseException):
    """The bound was reached."""


def can_bound() -> bool:
    """Whether a bound can be kept here: only the main thread is interrupted, and not on every system."""
    return threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")


def bounded(entries: Iterator[T], seconds: float) -> Iterator[T]:
    """The entries, for each of which the process may use so many seconds of the processor.

    What hangs in a library is interrupted when it comes back to Python. Only where ``can_bound``.

    Raises:
        TookTooLong: one took longer.
    """
    while True:
        armed = True

        def ring(*_: object) -> None:
            if armed:  # noqa: B023 - of this turn of the loop
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
