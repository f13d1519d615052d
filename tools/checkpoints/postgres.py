"""Checkpoints in Postgres, written and read alike by whoever opens the database: the command line and each server."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres import PostgresStore
from psycopg.rows import dict_row
from psycopg_pool.base import AttemptWithBackoff

from backtrail.tools.checkpoints.list_before import ListBeforeAnyForm
from backtrail.tools.checkpoints.retry_failed_tasks import RetryFailedTasks
from backtrail.tools.checkpoints.retry_outages import retries_outages, retrying_outages
from backtrail.tools.checkpoints.serializer import strict_serializer

_TABLES = (0x6274, 1)
"""Of Postgres' advisory locks: ours are in one class."""


class PostgresCheckpoints(RetryFailedTasks, ListBeforeAnyForm, AsyncPostgresSaver):
    """LangGraph's saver, with our serializer."""

    def __init__(self, conn: Any) -> None:
        super().__init__(conn, serde=strict_serializer())


def give_to_aegra() -> None:
    """Have aegra open its checkpoints as we do, before it does, and outlast an outage where it writes down a run's end.

    Its own saver could not read what the command line or another server wrote into the same database. And a run that
    began or ended just as the database went away would be written down as failed once it is back.
    """
    from aegra_api.core import database  # pyright: ignore[reportMissingImports] - imported where aegra is the server
    from aegra_api.services import run_executor  # pyright: ignore[reportMissingImports]

    if not hasattr(database, "AsyncPostgresSaver"):
        raise ImportError("This version of aegra opens its checkpoints elsewhere; 0.11 was tried.")
    database.AsyncPostgresSaver = PostgresCheckpoints
    # its pool would try again after 1, 2, 4, 8 seconds, and what was answered in the meantime is not stored for as long
    AttemptWithBackoff.DELAY_BACKOFF = 1.0
    for name in ("start_run", "finalize_run"):
        setattr(run_executor, name, _outlasting(getattr(run_executor, name)))


def _outlasting(act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(act)
    async def tried(*arguments: Any, **named: Any) -> Any:
        return await retrying_outages(lambda: act(*arguments, **named))

    return tried


@retries_outages
def make_tables_of_aegra(url: str) -> None:
    """Make aegra's tables, one process at a time. Blocking.

    Processes that start side by side on a new database would make each table at once, and all but one fail.

    Args:
        url: of its database.
    """
    os.environ["DATABASE_URL"] = url  # read where it is imported first
    from aegra_api.core.migrations import run_migrations_if_needed  # pyright: ignore[reportMissingImports]

    place = f"postgresql://{url.partition('://')[2]}"
    connected: Any = psycopg.connect(place, autocommit=True, row_factory=cast("Any", dict_row))
    with connected as connection:
        # who waits for a lock within a statement keeps an index from being made; the connection's end lets go
        while not connection.execute("SELECT pg_try_advisory_lock(%s, %s) AS got", _TABLES).fetchone()["got"]:
            time.sleep(0.5)
        run_migrations_if_needed()
        PostgresSaver(connection).setup()
        PostgresStore(connection).setup()
