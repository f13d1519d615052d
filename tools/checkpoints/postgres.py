"""Checkpoints in Postgres, in one format for the command line and all servers."""

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
"""Advisory lock of Postgres; ours share one class."""


class PostgresCheckpoints(RetryFailedTasks, ListBeforeAnyForm, AsyncPostgresSaver):
    """LangGraph's Postgres saver with our serializer."""

    def __init__(self, conn: Any) -> None:
        super().__init__(conn, serde=strict_serializer())


def patch_aegra() -> None:
    """Patch aegra to use our saver, and to retry the start and end of a run through an outage.

    Its own saver cannot read what the command line or another server wrote into the same database. Without retries a
    run that starts or ends during an outage is stored as failed afterwards.
    """
    from aegra_api.core import database  # pyright: ignore[reportMissingImports] - imported where aegra is the server
    from aegra_api.services import run_executor  # pyright: ignore[reportMissingImports]

    if not hasattr(database, "AsyncPostgresSaver"):
        raise ImportError("This version of aegra opens its checkpoints elsewhere; version 0.11 is supported.")
    database.AsyncPostgresSaver = PostgresCheckpoints
    # with aegra's delays of 1, 2, 4, 8 seconds, answers stay unstored for as long after an outage
    AttemptWithBackoff.DELAY_BACKOFF = 1.0
    for name in ("start_run", "finalize_run"):
        setattr(run_executor, name, _retrying(getattr(run_executor, name)))


def _retrying(act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(act)
    async def retried(*arguments: Any, **named: Any) -> Any:
        return await retrying_outages(lambda: act(*arguments, **named))

    return retried


@retries_outages
def create_aegra_tables(url: str) -> None:
    """Create aegra's tables, one process at a time. Blocking.

    Processes that start together on a new database would create the same tables, and all but one fail.

    Args:
        url: URL of its database.
    """
    os.environ["DATABASE_URL"] = url  # aegra reads it on import
    from aegra_api.core.migrations import run_migrations_if_needed  # pyright: ignore[reportMissingImports]

    place = f"postgresql://{url.partition('://')[2]}"
    connected: Any = psycopg.connect(place, autocommit=True, row_factory=cast("Any", dict_row))
    with connected as connection:
        # a statement that waits for a lock blocks the creation of an index; closing the connection unlocks
        while not connection.execute("SELECT pg_try_advisory_lock(%s, %s) AS got", _TABLES).fetchone()["got"]:
            time.sleep(0.5)
        run_migrations_if_needed()
        PostgresSaver(connection).setup()
        PostgresStore(connection).setup()
