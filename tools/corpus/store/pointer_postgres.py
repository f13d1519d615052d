"""Pointers as rows of Postgres: one statement publishes, in the session of the publisher's lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

from backtrail.tools.corpus.errors import PublishConflict
from backtrail.tools.corpus.store.publication import WAIT, Publication
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.corpus.tables.shared_table import SharedTable, shared_engine
from backtrail.tools.corpus.writing.writing_session import writing_session

_PUBLISHED = SharedTable(
    "backtrail_store",
    "published",
    "store text NOT NULL, corpus text NOT NULL, number bigint NOT NULL, publication text NOT NULL, "
    "PRIMARY KEY (store, corpus)",
    lock=7246174110,
)
_TABLE = _PUBLISHED.name
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


class PostgresPointer:
    """The pointers of one store."""

    kind = "postgres"

    def __init__(self, url: str, address: StoreAddress) -> None:
        self._engine = shared_engine(url)
        self._store = str(address)

    def read(self, corpus: str) -> Publication | None:
        """The current publication; None without such a corpus."""
        with self._engine.connect() as connection:
            return _read(connection, self._store, corpus)

    def names(self) -> list[str]:
        """Names of all published corpora, sorted."""
        with self._engine.connect() as connection:
            if not _PUBLISHED.is_there(connection):
                return []
            return list(connection.execute(_NAMES, {"store": self._store}).scalars())

    @contextmanager
    def publishing(self, corpus: str) -> Iterator[PostgresTurn]:
        """Wait for the publisher's lock of a session; without the connection nothing is published."""
        with writing_session(self._engine, f"{self._store} {corpus}", WAIT) as connection:
            _PUBLISHED.make(connection)
            connection.commit()
            yield PostgresTurn(connection, self._store, corpus)


class PostgresTurn:
    """The exclusive right to publish a corpus."""

    def __init__(self, connection: Connection, store: str, corpus: str) -> None:
        self._connection, self._store, self._corpus = connection, store, corpus

    def current(self) -> Publication | None:
        """The current publication."""
        found = _read(self._connection, self._store, self._corpus)
        self._connection.commit()  # the publishing statement has to see later commits of others
        return found

    def move(self, publication: Publication) -> None:
        """Publish as the successor of the current publication."""
        row = {"number": publication.number, "publication": publication.to_json()}
        self._change(_FIRST if publication.number == 1 else _NEXT, row)

    def remove(self, number: int) -> None:
        """Withdraw the corpus, whose current publication has this number."""
        self._change(_REMOVE, {"number": number})

    def _change(self, statement: object, row: dict[str, object]) -> None:
        values = {"store": self._store, "corpus": self._corpus, **row}
        changed = self._connection.execute(statement, values).first()  # type: ignore[call-overload]
        self._connection.commit()
        if changed is None:
            found = self.current()
            raise PublishConflict(self._corpus, found.by if found else "")


def _read(connection: Connection, store: str, corpus: str) -> Publication | None:
    if not _PUBLISHED.is_there(connection):
        return None
    found = connection.execute(_READ, {"store": store, "corpus": corpus}).scalar_one_or_none()
    return Publication.from_json(found) if found else None
