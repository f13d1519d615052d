"""Tables of Postgres that no corpus owns, as pointers to stores and journals: made by whoever needs one first."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, text

from backtrail.tools.corpus.tables.postgres import open_postgres

_lock = threading.Lock()
_engines: dict[str, Engine] = {}


def shared_engine(url: str) -> Engine:
    """The one engine of this process on a database, for all such tables. Raises what ``open_postgres`` does."""
    with _lock:
        if url not in _engines:
            _engines[url] = open_postgres(url)
        return _engines[url]


@dataclass(frozen=True)
class SharedTable:
    """A table.

    Args:
        schema: that it stands in, alone.
        own: its name there.
        columns: as ``CREATE TABLE`` takes them.
        lock: key of the advisory lock under which it is made; each table has its own.
    """

    schema: str
    own: str
    columns: str
    lock: int

    @property
    def name(self) -> str:
        """As statements name it."""
        return f"{self.schema}.{self.own}"

    def is_there(self, connection: Connection) -> bool:
        """Whether anybody has made it."""
        return bool(connection.execute(text(f"SELECT to_regclass('{self.name}') IS NOT NULL")).scalar_one())

    def make(self, connection: Connection) -> None:
        """Make it, unless it is there; the caller commits."""
        if self.is_there(connection):
            return
        # IF NOT EXISTS fails where two make it at once
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": self.lock})
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {self.schema}"))
        connection.execute(text(f"CREATE TABLE IF NOT EXISTS {self.name} ({self.columns})"))
