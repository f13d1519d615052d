"""Pointers as rows of Postgres: publishing is one statement, in a session that holds the publisher's lock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text

from backtrail.tools.corpus.errors import PublishConflict
from backtrail.tools.corpus.store import pointer
from backtrail.tools.corpus.store.address import StoreAddress
from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.tables.postgres import open_postgres
from backtrail.tools.corpus.writing.writing_session import writing_session

_TABLE = "backtrail_store.published"
_KNOWN = text(f"SELECT to_regclass('{_TABLE}') IS NOT NULL")
_MAKE = (
    text("SELECT pg_advisory_xact_lock(7246174110)"),  # IF NOT EXISTS fails where two make it at once
    text("CREATE SCHEMA IF NOT EXISTS backtrail_store"),
    text(
        f"CREATE TABLE IF NOT EXISTS {_TABLE} (store text NOT NULL, corpus text NOT NULL, number bigint NOT NULL, "
        "publication text NOT NULL, PRIMARY KEY (store, corpus))"
    ),
)
_READ = text(f"SELECT publication FROM {_TABLE} WHERE store = :store AND corpus = :corpus")
_NAMES = text(f"SELECT corpus FROM {_TABLE} WHERE store = :store ORDER BY corpus")
_FIRST = text(
    f"INSERT INTO {_TABLE} VALUES (:store, :corpus, :number, :publication) ON CONFLICT DO NOTHING RETURNING number"
)
_NEXT = text(
    f"UPDATE {_TABLE} SET number = :number, publication = :publication "
    "WHERE store = :store AND corpus = :corpus AND number = :number - 1 RETURNING number"
)
_REMOVE = text(f"DELETE FROM {_TABLE} WHERE store = :store AND corpus = :corpus AND number = :number RETURNING number")
_lock = threading.Lock()
_engines: dict[str, Engine] = {}


class PostgresPointer:
    """The pointers of one store."""

    kind = "postgres"

    def __init__(self, url: str, address: StoreAddress) -> None:
        with _lock:
            if url not in _engines:
                _engines[url] = open_postgres(url)
            self._engine = _engines[url]
        self._store = str(address)

    def read(self, corpus: str) -> Publication | None:
        """What is published; None when there is no such corpus."""
        with self._engine.connect() as connection:
            return _read(connection, self._store, corpus)

    def names(self) -> list[str]:
        """All published corpora, sorted."""
        with self._engine.connect() as connection:
            if not connection.execute(_KNOWN).scalar_one():
                return []
            return list(connection.execute(_NAMES, {"store": self._store}).scalars())

    @contextmanager
    def publishing(self, corpus: str) -> Iterator[PostgresTurn]:
        """Become the one publisher, by a lock of the session: who loses the connection cannot publish any more."""
        with writing_session(self._engine, f"{self._store} {corpus}", pointer.WAIT) as connection:
            if not connection.execute(_KNOWN).scalar_one():
                for statement in _MAKE:
                    connection.execute(statement)
            connection.commit()
            yield PostgresTurn(connection, self._store, corpus)


class PostgresTurn:
    """Being the one publisher of a corpus."""

    def __init__(self, connection: Connection, store: str, corpus: str) -> None:
        self._connection, self._store, self._corpus = connection, store, corpus

    def current(self) -> Publication | None:
        """What is published now."""
        held = _read(self._connection, self._store, self._corpus)
        self._connection.commit()  # the statement that publishes is to see what others committed meanwhile
        return held

    def move(self, publication: Publication) -> None:
        """Publish, if what is published is still the one before."""
        row = {"number": publication.number, "publication": publication.to_json()}
        self._change(_FIRST if publication.number == 1 else _NEXT, row)

    def remove(self, number: int) -> None:
        """Take back the publication of this number."""
        self._change(_REMOVE, {"number": number})

    def _change(self, statement: object, row: dict[str, object]) -> None:
        values = {"store": self._store, "corpus": self._corpus, **row}
        changed = self._connection.execute(statement, values).first()  # type: ignore[call-overload]
        self._connection.commit()
        if changed is None:
            held = self.current()
            raise PublishConflict(self._corpus, held.by if held else "")


def _read(connection: Connection, store: str, corpus: str) -> Publication | None:
    if not connection.execute(_KNOWN).scalar_one():
        return None
    held = connection.execute(_READ, {"store": store, "corpus": corpus}).scalar_one_or_none()
    return Publication.from_json(held) if held else None
