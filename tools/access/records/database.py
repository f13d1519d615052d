"""Database of these records: the Postgres of the checkpoints if there is one, else SQLite in home.

All processes of a server see the same records.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite

from backtrail.tools.access.records.tables import CORPORA, TABLES
from backtrail.tools.checkpoints.open import URL_VARIABLE
from backtrail.tools.errors import DependencyMissing
from backtrail.tools.home import home
from backtrail.tools.sqlite_file import connect

FILE = "serving.sqlite"
_REMEDY = "Restore it from a backup, or move it away: owners of corpora and spending are lost then."
_READS = "backtrail_reads"

_WAITS = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0)  # seconds, while other processes open a new file too
_LOCK_SPACE = 0x6274  # of Postgres' advisory locks: ours are in one class


def database() -> Engine:
    """The database of this process, whose tables are created on first use. Blocking.

    Raises:
        DependencyMissing: Postgres without the extra ``postgres``.
    """
    url = os.environ.get(URL_VARIABLE, "")
    return _postgres(url) if url.startswith(("postgres://", "postgresql://")) else _sqlite(home() / FILE)


@cache
def _sqlite(file: Path) -> Engine:
    file.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        f"sqlite:///{file}",
        # SQLAlchemy's events begin transactions instead of the driver
        creator=lambda: connect(file, CORPORA.name, _REMEDY, isolation_level=None, check_same_thread=False),
    )

    @event.listens_for(engine, "connect")
    def _open(connection: Any, _: Any) -> None:
        _enable_wal(connection)
        connection.execute("PRAGMA synchronous=NORMAL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # a count and the write that follows are one transaction
        reads = connection.get_execution_options().get(_READS)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    TABLES.create_all(engine)
    return engine


def _enable_wal(connection: Any) -> None:
    """Let readers work beside a writer. The first call changes the file, for which SQLite does not wait."""
    for wait in (*_WAITS, None):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if wait is None:
                raise
            time.sleep(wait)


@cache
def _postgres(url: str) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise DependencyMissing("psycopg", "postgres") from error
    engine = create_engine(f"postgresql+psycopg://{url.partition('://')[2]}", pool_pre_ping=True, pool_size=4)
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:space, 0)"), {"space": _LOCK_SPACE})
        TABLES.create_all(connection)
    return engine


@contextmanager
def reading() -> Iterator[Connection]:
    """Yield a connection that only reads and does not wait for writers."""
    with database().connect().execution_options(**{_READS: True}) as connection:
        yield connection


def inserting(connection: Connection, table: Table) -> Any:
    """An insert with the dialect's ``ON CONFLICT``."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def alone(connection: Connection, name: str) -> None:
    """Lock a name until the transaction ends, so that nobody writes between a count and its write."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_advisory_xact_lock(:space, hashtext(:name))"), {"space": _LOCK_SPACE, "name": name}
        )
