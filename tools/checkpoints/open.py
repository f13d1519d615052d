"""Open the checkpoint store, with which runs are resumed, forked and traced.

SQLite in the user's folder by default; Postgres when ``$BACKTRAIL_CHECKPOINTS_URL`` names one. The command line and the
server share it. Run graphs with durability "sync" or "async", not "exit", which stores nothing of a killed run.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from langgraph.checkpoint.base import BaseCheckpointSaver

from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.checkpoints.sqlite import open_sqlite
from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.home import checkpoints_file

URL_VARIABLE = "BACKTRAIL_CHECKPOINTS_URL"


@asynccontextmanager
async def open_checkpoints(url: str | None = None) -> AsyncIterator[BaseCheckpointSaver[str]]:
    """Open the saver of this user's runs for the duration of the block.

    Args:
        url: ``postgresql://…``, or the path of an SQLite file; by default the environment's, else SQLite in home.

    Raises:
        SettingsError: a URL of another kind.
        DependencyMissing: Postgres without the extra ``postgres``.
    """
    wanted = url or os.environ.get(URL_VARIABLE) or ""
    scheme, separator, _ = wanted.partition("://")
    if not separator:
        async with open_sqlite(Path(wanted) if wanted else checkpoints_file(), strict_serializer()) as saver:
            yield saver
    elif scheme in ("postgres", "postgresql"):
        async with _open_postgres(wanted) as saver:
            yield saver
    else:
        raise SettingsError(
            f"{URL_VARIABLE} has the unknown scheme {scheme!r}. Use postgresql://… or the path of an SQLite file."
        )


@asynccontextmanager
async def _open_postgres(url: str) -> AsyncIterator[BaseCheckpointSaver[str]]:
    try:
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool

        from backtrail.tools.checkpoints.postgres import PostgresCheckpoints
    except ImportError as error:
        raise DependencyMissing("langgraph-checkpoint-postgres", "postgres") from error
    # a server runs for weeks: a pool replaces connections that the database closed
    pool = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=8,
        open=False,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )
    async with pool:
        saver = PostgresCheckpoints(pool)
        await saver.setup()
        yield saver


@asynccontextmanager
async def server_checkpoints() -> AsyncIterator[BaseCheckpointSaver[str]]:
    """The ``checkpointer`` of langgraph.json; the server enters it once."""
    async with open_checkpoints() as saver:
        yield saver
