"""Wait for the rate limit, and retry transient failures."""

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
    """Return the result of the attempt.

    Args:
        one_server: all requests of this limiter go to one server, so that its Retry-After applies to all of them.

    Raises:
        SearchError: the error of the last attempt.
    """
    failures = 0
    while True:
        try:
            async with limiter.slot(0):
                return await attempt()
        except SearchError as error:
            failures += 1
            if not error.again or failures >= patience.max_attempts:
                raise
            wait = patience.wait(failures, error.retry_after)
            if one_server and error.retry_after is not None:
                limiter.pause(wait)
        await asyncio.sleep(wait)
