"""Checkpoints in Postgres, written and read alike by whoever opens the database: the command line and each server."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from backtrail.tools.checkpoints.before import BeforeAnyForm
from backtrail.tools.checkpoints.serializer import strict_serializer


class PostgresCheckpoints(BeforeAnyForm, AsyncPostgresSaver):
    """LangGraph's saver, with our serializer."""

    def __init__(self, conn: Any) -> None:
        super().__init__(conn, serde=strict_serializer())


def give_to_aegra() -> None:
    """Have aegra open its checkpoints so, before it does.

    Its own saver could not read what the command line or another server wrote into the same database.
    """
    from aegra_api.core import database  # pyright: ignore[reportMissingImports] - imported where aegra is the server

    if not hasattr(database, "AsyncPostgresSaver"):
        raise ImportError("This version of aegra opens its checkpoints elsewhere; 0.11 was tried.")
    database.AsyncPostgresSaver = PostgresCheckpoints
