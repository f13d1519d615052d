"""Checkpoints: where runs are kept so that they can be stopped, resumed, rewound and explained.

SQLite in the user's folder by default; Postgres when ``$BACKTRAIL_CHECKPOINTS_URL`` names one. The
command line and the server share them. Runs are to be driven with durability "sync" (or "async"),
never "exit", which keeps nothing of a run that is killed.
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
    """The saver of this user's runs, open as long as the block lasts.

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
            f"{URL_VARIABLE} cannot be of the kind {scheme!r}. Use postgresql://… or the path of an SQLite file."
        )


@asynccontextmanager
async def _open_postgres(url: str) -> AsyncIterator[BaseCheckpointSaver[str]]:
    try:
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool

        from backtrail.tools.checkpoints.postgres import PostgresCheckpoints
    except ImportError as error:
        raise DependencyMissing("langgraph-checkpoint-postgres", "postgres") from error
    # A server runs for weeks: a pool replaces connections that the database closed.
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
    """What the key ``checkpointer`` of langgraph.json points at; the server enters it once."""
    async with open_checkpoints() as saver:
        yield saver
