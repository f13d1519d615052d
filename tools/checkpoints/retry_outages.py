"""Retry work through an outage of Postgres.

Only lost connections are waited for. What a database refuses (a full disk, a broken statement) is an error at once.
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
"""Seconds between two tries; each waits twice as long as the one before (ours)."""

_AWAY = ("08", "57P", "53300")
"""How the codes begin with which Postgres says that it is not to be reached: connection, shutdown, too many clients."""

_SAID = ("starting up", "shutting down", "recovery", "too many", "terminating connection")
"""What Postgres says then to who connects; an unknown password or database is no outage."""

P = ParamSpec("P")
T = TypeVar("T")
_LOG = logging.getLogger(__name__)


def is_outage(error: BaseException) -> bool:
    """Whether a connection to Postgres was lost or could not be had."""
    try:
        from psycopg import InterfaceError, OperationalError
    except ImportError:
        return False
    if isinstance(error, ConnectionError) or getattr(error, "connection_invalidated", False):
        return True  # asyncpg's, as it is or as SQLAlchemy tells it
    cause = getattr(error, "orig", None) or error  # SQLAlchemy's errors hold the driver's
    if code := getattr(cause, "sqlstate", None):
        return str(code).startswith(_AWAY)
    if not isinstance(cause, (InterfaceError, OperationalError)):
        return False
    said = str(cause)  # of a connection that could not be had there is no code
    return "FATAL:" not in said or any(word in said for word in _SAID)


async def retrying_outages(act: Callable[[], Awaitable[T]]) -> T:
    """What an action gives, tried again while the database is away. It must be one that may be done twice.

    Raises:
        Exception: whatever the action raises that is no outage, or the outage after ``PATIENCE`` seconds.
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
    """The same for what blocks."""

    @functools.wraps(act)
    def tried(*arguments: P.args, **named: P.kwargs) -> T:
        waits = _waits()
        while True:
            try:
                return act(*arguments, **named)
            except Exception as error:
                if (seconds := _next(waits, error)) is None:
                    raise
            time.sleep(seconds)

    return tried


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
