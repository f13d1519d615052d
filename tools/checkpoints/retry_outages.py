"""Retry work during an outage of Postgres.

Only lost connections are retried. Errors of the database (a full disk, a wrong statement) are raised at once.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import ParamSpec, TypeVar

PATIENCE = 120.0
"""Seconds for which a run waits for its database: a restart takes seconds, a machine a minute (ours)."""

FIRST_WAIT, LONGEST_WAIT = 0.2, 5.0
"""Seconds between attempts, doubled each time (ours)."""

_AWAY = ("08", "57P", "53300")
"""Prefixes of Postgres' error codes of an outage: connection, shutdown, too many clients."""

_MESSAGES = ("starting up", "shutting down", "recovery", "too many", "terminating connection")
"""Messages of Postgres during an outage; an unknown password or database is not one."""

P = ParamSpec("P")
T = TypeVar("T")
_LOG = logging.getLogger(__name__)


def is_outage(error: BaseException) -> bool:
    """Whether a connection to Postgres was lost or failed."""
    try:
        from psycopg import InterfaceError, OperationalError
    except ImportError:
        return False
    if isinstance(error, ConnectionError) or getattr(error, "connection_invalidated", False):
        return True  # an error of asyncpg, or SQLAlchemy's flag
    cause = getattr(error, "orig", None) or error  # the driver's error behind SQLAlchemy's
    if code := getattr(cause, "sqlstate", None):
        return str(code).startswith(_AWAY)
    if not isinstance(cause, (InterfaceError, OperationalError)):
        return False
    message = str(cause)  # a failed connection has no code
    return "FATAL:" not in message or any(word in message for word in _MESSAGES)


async def retrying_outages(act: Callable[[], Awaitable[T]]) -> T:
    """Run an idempotent action, retried while the database is away, and return its result.

    Raises:
        Exception: any error of the action but an outage, or the outage after ``PATIENCE`` seconds.
    """
    waits = _waits()
    while True:
        try:
            return await act()
        except Exception as error:
            if (seconds := _next(waits, error)) is None:
                raise
        await asyncio.sleep(seconds)


def retries_outages(act: Callable[P, T]) -> Callable[P, T]:
    """Decorate a blocking function to be retried as in ``retrying_outages``."""

    @functools.wraps(act)
    def retried(*arguments: P.args, **named: P.kwargs) -> T:
        waits = _waits()
        while True:
            try:
                return act(*arguments, **named)
            except Exception as error:
                if (seconds := _next(waits, error)) is None:
                    raise
            time.sleep(seconds)

    return retried


def _next(waits: Iterator[float], error: Exception) -> float | None:
    seconds = next(waits, None) if is_outage(error) else None
    if seconds is not None:
        _LOG.warning("Postgres is away (%s); trying again in %.1f seconds", type(error).__name__, seconds)
    return seconds


def _waits() -> Iterator[float]:
    ends, wait = time.monotonic() + PATIENCE, FIRST_WAIT
    while time.monotonic() < ends:
        yield wait
        wait = min(2 * wait, LONGEST_WAIT)
