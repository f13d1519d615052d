"""Growth exponents from the processor times of one call at 1x, 8x and 64x."""

from __future__ import annotations

import gc
import math
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

FACTOR = 8
SIZES = (1, FACTOR, FACTOR**2)
BOUND = 1.35
"""Above n log n (1.1 between these sizes) plus noise of caches and allocation, below n^1.5."""
QUICK_S = 0.001
"""If 8x takes less, 64x is skipped: even a quadratic function would take only 64 ms."""
LEAST_S = 0.0005
"""Shorter times are mostly overhead and count as this much, so that exponents are not overstated."""
LONGEST_S = 120.0
"""Maximum processor time of one measurement; a longer one counts as growing too fast (ours)."""
_REPEATS = (2, 4, 8)

Call = Callable[[], object]


class TooLong(BaseException):
    """A measurement exceeded ``LONGEST_S``. A BaseException, so that the measured code does not catch it."""


@dataclass(frozen=True)
class Growth:
    """Shortest measured times in seconds by size, and the last exponent."""

    times: tuple[float, ...]
    exponent: float

    @property
    def fast_enough(self) -> bool:
        """Whether the exponent is within the bound."""
        return self.exponent <= BOUND


def growth(calls: Sequence[Call], clock: Callable[[], float] = time.thread_time) -> Growth:
    """Measure the growth of the time of three calls, from 8x to 64x.

    An exponent above the bound is measured again with more repeats, and the smallest time of each size counts: other
    load can make a linear function look slow, but never a quadratic one fast. The clock is that of the thread: while
    ``limited`` has a timer, Linux advances that of the process in ticks.
    """
    gc.collect()
    gc.disable()
    try:
        return _measured(calls, clock)
    finally:
        gc.enable()


def _measured(calls: Sequence[Call], clock: Callable[[], float]) -> Growth:
    times = [min(_timed(call, clock) for _ in range(2)) for call in calls[:2]]
    if times[1] < QUICK_S:
        return Growth(tuple(times), 0.0)
    times.append(_timed(calls[2], clock))
    for repeats in _REPEATS:
        times[1] = min(times[1], *(_timed(calls[1], clock) for _ in range(repeats)))
        if _exponent(times) <= BOUND:
            break
        times[2] = min(times[2], *(_timed(calls[2], clock) for _ in range(repeats // 2)))
    return Growth(tuple(times), _exponent(times))


def _exponent(times: Sequence[float]) -> float:
    return math.log(max(times[-1], LEAST_S) / max(times[-2], LEAST_S), FACTOR)


def _timed(call: Call, clock: Callable[[], float]) -> float:
    start = clock()
    call()
    return clock() - start


def ended_when_too_long() -> None:
    """Set a signal handler that raises ``TooLong``; it interrupts regular expressions too."""

    def end(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, end)


def limited(call: Callable[[], Growth]) -> Growth:
    """Return the growth; an infinite one if measuring takes ``LONGEST_S``."""
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    try:
        return call()
    except TooLong:
        return Growth((), math.inf)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
