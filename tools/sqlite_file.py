"""Open the SQLite files of a home: a damaged or inaccessible file raises a typed error that names it.

SQLAlchemy and aiosqlite pass these errors on, from statements and from reading rows.
"""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from backtrail.tools.disk_full import is_disk_full
from backtrail.tools.errors import HomeUnusable, StoredFileDamaged
from backtrail.tools.home import home
from backtrail.tools.home_errors import ELSEWHERE

WAIT = 30.0
"""Seconds that a write waits for another process (a server and a command line share files)."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_INACCESSIBLE = (
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_IOERR,
)  # fmt: skip
_NOT_TEXT = "Could not decode to UTF-8"
"""The driver's message for a text of random bytes; it has no code."""


def connect(file: Path, table: str, remedy: str, **options: Any) -> sqlite3.Connection:
    """Open a connection to a file, which is created if missing.

    Args:
        table: one that the file must have unless it is new: a log of another file beside it replaces its pages.
        remedy: what to do about a damaged file, as a sentence.
        options: keyword arguments of ``sqlite3.connect``.

    Raises:
        StoredFileDamaged, HomeUnusable: also later, from any use of the connection.
    """
    connection = _Connection(file, remedy, **options)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if tables and table not in tables:
        connection.close()
        raise StoredFileDamaged(file, f"it has other tables, but no {table!r}", remedy)
    return connection


def _typed_errors(act: Callable[..., Any]) -> Any:
    """Wrap a method of SQLite's connections or cursors to raise typed errors."""

    @functools.wraps(act)
    def typed(self: _Connection | _Cursor, *arguments: Any, **named: Any) -> Any:
        try:
            return act(self, *arguments, **named)
        except sqlite3.Error as error:
            connection = cast("_Connection", self if isinstance(self, sqlite3.Connection) else self.connection)
            trouble = _trouble(connection.file, connection.remedy, error)
            if trouble is None:
                raise
            raise trouble from error

    return typed


class _Cursor(sqlite3.Cursor):
    execute = _typed_errors(sqlite3.Cursor.execute)
    executemany = _typed_errors(sqlite3.Cursor.executemany)
    executescript = _typed_errors(sqlite3.Cursor.executescript)
    fetchone = _typed_errors(sqlite3.Cursor.fetchone)
    fetchmany = _typed_errors(sqlite3.Cursor.fetchmany)
    fetchall = _typed_errors(sqlite3.Cursor.fetchall)
    __next__ = _typed_errors(sqlite3.Cursor.__next__)


class _Connection(sqlite3.Connection):
    @_typed_errors
    def __init__(self, file: Path, remedy: str, **options: Any) -> None:
        self.file, self.remedy = file, remedy
        super().__init__(file, **{"timeout": WAIT, **options})

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def execute(self, *statement: Any) -> Any:  # the driver's method bypasses our cursors
        return self.cursor().execute(*statement)

    def executemany(self, *statement: Any) -> Any:
        return self.cursor().executemany(*statement)

    def executescript(self, *script: Any) -> Any:
        return self.cursor().executescript(*script)

    commit = _typed_errors(sqlite3.Connection.commit)
    rollback = _typed_errors(sqlite3.Connection.rollback)


def _trouble(file: Path, remedy: str, error: sqlite3.Error) -> HomeUnusable | None:
    """The typed error; None where the file is not to blame. A full disk has its own messages."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED or _NOT_TEXT in str(error):
        return StoredFileDamaged(file, str(error), remedy)
    if code == sqlite3.SQLITE_CANTOPEN and file.is_dir():
        return StoredFileDamaged(file, "it is a folder", remedy)
    if code in _INACCESSIBLE and not is_disk_full(error):
        return HomeUnusable(str(home()), f"{file} cannot be opened or written ({error})", f"{ELSEWHERE}.")
    return None
