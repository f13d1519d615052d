"""Open the SQL tables of a corpus: a SQLite file in its folder, or a schema of a Postgres database."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text

from backtrail.tools.corpus.storage import is_mirror, noted
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.postgres import open_postgres
from backtrail.tools.errors import SettingsError, StoredFileDamaged
from backtrail.tools.sqlite_file import connect

FILE = "corpus.sqlite"
Item = TypeVar("Item")
_CHUNK = 900  # bound parameters per statement: below the limit of every SQLite


def database_url() -> str | None:
    """``$BACKTRAIL_DATABASE_URL``; None means a SQLite file beside the index."""
    return os.environ.get("BACKTRAIL_DATABASE_URL") or None


def tables_url(folder: Path) -> str | None:
    """URL of the server with the tables of a corpus; None for a file in its folder, as for all mirrors."""
    return None if is_mirror(folder) else database_url()


def open_engine(name: str, folder: Path) -> Engine:
    """An engine on the tables of one corpus; nothing is created yet."""
    if tables_url(folder):
        return open_database(name)
    file = folder / FILE
    engine = create_engine(
        f"sqlite:///{file}",
        # The driver sends BEGIN late and not before DDL; SQLAlchemy's "begin" event sends ours.
        creator=lambda: connect(file, "meta", _remedy(name, folder), isolation_level=None, check_same_thread=False),
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def open_database(name: str) -> Engine:
    """An engine on the tables of one corpus in the database that ``$BACKTRAIL_DATABASE_URL`` names.

    Raises:
        SettingsError: the variable is not set.
    """
    url = database_url()
    if url is None:
        raise SettingsError("BACKTRAIL_DATABASE_URL names no database.")
    return open_postgres(url).execution_options(schema_translate_map={None: _schema_name(name)})


def _prepare_sqlite(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON", "cache_size=-65536"):
        connection.execute(f"PRAGMA {pragma}")


def overwrite_log(connection: Connection) -> None:
    """Checkpoint SQLite's log into the file, which overwrites removed contents.

    Call it between transactions. If a reader blocks it, the last connection to close does it.
    """
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _schema_name(name: str) -> str:
    readable = re.sub(r"[^a-z0-9]", "_", name.lower())[:40]
    return f"backtrail_{readable}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def create_tables(engine: Engine, name: str) -> None:
    """Create missing tables."""
    if engine.dialect.name == "postgresql":
        with engine.begin() as connection:
            connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{_schema_name(name)}"'))
    schema.metadata.create_all(engine)


def drop_tables(connection: Connection, name: str) -> None:
    """Drop the schema of a corpus on a server; a SQLite file is deleted with its folder."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f'DROP SCHEMA IF EXISTS "{_schema_name(name)}" CASCADE'))
        connection.commit()


def has_tables(engine: Engine, name: str, folder: Path) -> bool:
    """Whether this corpus was ever written to.

    Raises:
        StoredFileDamaged: the file is damaged, or empty although there is an index.
    """
    if engine.dialect.name != "sqlite":
        return inspect(engine).has_table("meta", schema=_schema_name(name))
    file = folder / FILE
    if not file.exists():
        return False
    with engine.connect() as connection:  # asked at each step of a run, so without SQLAlchemy's inspector
        found = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'meta'").first() is not None
    if not found and not is_mirror(folder) and any((folder / "index").glob("g*")):
        raise StoredFileDamaged(file, "it has no tables", _remedy(name, folder))
    return found


def _remedy(name: str, folder: Path) -> str:
    if note := noted(name):  # deleting the corpus would delete it for all machines
        return f"Remove the folder {folder}: with BACKTRAIL_STORE={note.address} it is copied from there again."
    return f"Restore it from a backup, or delete it (`backtrail corpus delete {name}`) and ingest the files again."


def chunks(items: Sequence[Item], size: int = _CHUNK) -> Iterator[Sequence[Item]]:
    """Yield slices small enough for one statement's parameters."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
