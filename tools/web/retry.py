"""Wait for a turn, and retry while that can help."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.rate_limit import RateLimiter
from backtrail.tools.web.errors import SearchError

T = TypeVar("T")


async def with_retries(
    attempt: Callable[[], Awaitable[T]], limiter: RateLimiter, patience: Backoff, *, one_server: bool
) -> T:
    """What the attempt gives.

    Args:
        one_server: everything under this limiter goes to one server, whose wish to wait holds for all of it.

    Raises:
        SearchError: of the last attempt.
    """
    failures = 0
    while True:
        try:
            async with limiter.slot(0):
                return await attempt()
        except SearchError as error:
            failures += 1
            if not error.again or failures >= patience.tries:
                raise
            wait = patience.wait(failures, error.retry_after)
            if one_server and error.retry_after is not None:
                limiter.pause(wait)
        await asyncio.sleep(wait)
