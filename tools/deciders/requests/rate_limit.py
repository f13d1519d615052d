"""One rate limiter per model and process: requests and tokens a minute, and how many at once.

A sliding window, not a bucket: in any 60 seconds no more is sent than allowed, also at the start.
Times are reserved in the order of asking, so nobody is overtaken.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from backtrail.tools.deciders.requests.concurrency_gate import Gate

WINDOW = 60.0


@dataclass(frozen=True)
class Limits:
    """What a model's account allows; None means no limit that we keep."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int = 8


@dataclass
class Reservation:
    """A request's place in time, with the tokens it is expected to use."""

    start: float
    tokens: int

    def settle(self, tokens: int) -> None:
        """Replace the estimate by what was really used."""
        self.tokens = tokens


class RateLimiter:
    """Hands out times. Clock and sleep can be replaced in tests."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.limits = limits
        self._clock = clock
        self._sleep = sleep
        self._gate = Gate(limits.concurrency)
        self._granted: deque[Reservation] = deque()
        self._not_before = 0.0
        self._lock = threading.Lock()  # held for a few instructions only, never across an await

    @asynccontextmanager
    async def slot(self, tokens: int) -> AsyncIterator[Reservation]:
        """Wait for a turn and hold it while the request runs."""
        await self._gate.enter()
        try:
            reservation = self._reserve(tokens)
            while (wait := max(reservation.start, self._not_before) - self._clock()) > 0:
                await self._sleep(wait)
            yield reservation
        finally:
            self._gate.leave()

    def pause(self, seconds: float) -> None:
        """Nobody sends for so long: a server's Retry-After holds for all requests of a model."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _reserve(self, tokens: int) -> Reservation:
        with self._lock:
            start = max(self._clock(), self._not_before)
            if self._granted:
                start = max(start, self._granted[-1].start)
            start = max(start, self._after_requests(), self._after_tokens(start, tokens))
            while self._granted and self._granted[0].start <= self._clock() - WINDOW:
                self._granted.popleft()
            reservation = Reservation(start, tokens)
            if self.limits.requests_per_minute or self.limits.tokens_per_minute:
                self._granted.append(reservation)
            return reservation

    def _after_requests(self) -> float:
        """When the window has room for one request more."""
        allowed = self.limits.requests_per_minute
        if not allowed or len(self._granted) < allowed:
            return 0.0
        return self._granted[-allowed].start + WINDOW

    def _after_tokens(self, start: float, tokens: int) -> float:
        """When the window has room for the tokens; an oversized request waits for an empty window."""
        allowed = self.limits.tokens_per_minute
        if not allowed:
            return 0.0
        inside = [held for held in self._granted if held.start > start - WINDOW]
        used = sum(held.tokens for held in inside)
        for held in inside:
            if used + tokens <= allowed:
                break
            used -= held.tokens
            start = held.start + WINDOW
        return start


_limiters: dict[tuple[str, Limits], RateLimiter] = {}
_registry = threading.Lock()


def limiter_for(model: str, limits: Limits) -> RateLimiter:
    """The limiter that all deciders of a model share in this process."""
    with _registry:
        return _limiters.setdefault((model, limits), RateLimiter(limits))
