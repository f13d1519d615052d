"""Postgres tables of no single corpus, such as pointers and journals, created on first use."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, text

from backtrail.tools.corpus.tables.postgres import open_postgres

_lock = threading.Lock()
_engines: dict[str, Engine] = {}


def shared_engine(url: str) -> Engine:
    """The engine of a database, shared in this process. Raises what ``open_postgres`` does."""
    with _lock:
        if url not in _engines:
            _engines[url] = open_postgres(url)
        return _engines[url]


@dataclass(frozen=True)
class SharedTable:
    """A Postgres table with its own schema.

    Args:
        schema: schema of this table alone.
        own: name in the schema.
        columns: column definitions of ``CREATE TABLE``.
        lock: key of the advisory lock for its creation, unique per table.
    """

    schema: str
    own: str
    columns: str
    lock: int

    @property
    def name(self) -> str:
        """The qualified name."""
        return f"{self.schema}.{self.own}"

    def is_there(self, connection: Connection) -> bool:
        """Whether it exists."""
        return bool(connection.execute(text(f"SELECT to_regclass('{self.name}') IS NOT NULL")).scalar_one())

    def make(self, connection: Connection) -> None:
        """Create it if missing; the caller commits."""
        if self.is_there(connection):
            return
        # IF NOT EXISTS fails when two sessions create it at once
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": self.lock})
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {self.schema}"))
        connection.execute(text(f"CREATE TABLE IF NOT EXISTS {self.name} ({self.columns})"))
