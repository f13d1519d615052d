"""Rate limiter per model and process: requests and tokens per minute, and concurrent requests.

A sliding window, not a bucket: no 60 seconds exceed the limit, the first ones included. Start times are
reserved in the order of requests, so that none is overtaken.
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
    """Rate limits of a model; None means no limit."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int = 8


@dataclass
class Reservation:
    """Start time of a request, with its expected tokens."""

    start: float
    tokens: int

    def settle(self, tokens: int) -> None:
        """Replace the estimate by the actual number of tokens."""
        self.tokens = tokens


class RateLimiter:
    """Rate limiter over a sliding window. Tests can replace clock and sleep."""

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
        """Wait for a slot and occupy it while the request runs."""
        await self._gate.enter()
        try:
            reservation = self._reserve(tokens)
            while (wait := max(reservation.start, self._not_before) - self._clock()) > 0:
                await self._sleep(wait)
            yield reservation
        finally:
            self._gate.leave()

    def pause(self, seconds: float) -> None:
        """Delay all requests of the model, as a server's Retry-After applies to all of them."""
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
        """Return when the window has room for one more request."""
        allowed = self.limits.requests_per_minute
        if not allowed or len(self._granted) < allowed:
            return 0.0
        return self._granted[-allowed].start + WINDOW

    def _after_tokens(self, start: float, tokens: int) -> float:
        """Return when the window has room for the tokens; an oversized request waits for an empty window."""
        allowed = self.limits.tokens_per_minute
        if not allowed:
            return 0.0
        inside = [one for one in self._granted if one.start > start - WINDOW]
        used = sum(one.tokens for one in inside)
        for one in inside:
            if used + tokens <= allowed:
                break
            used -= one.tokens
            start = one.start + WINDOW
        return start


_limiters: dict[tuple[str, Limits], RateLimiter] = {}
_registry = threading.Lock()


def limiter_for(model: str, limits: Limits) -> RateLimiter:
    """Return the limiter that all deciders of a model share in this process."""
    with _registry:
        return _limiters.setdefault((model, limits), RateLimiter(limits))
