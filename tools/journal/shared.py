"""A journal in Postgres: entries by key, each stored by one statement at once.

Files of a home contain the same; the journal serves other machines and temporary homes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import text

from backtrail.tools.corpus.storage import kept_in
from backtrail.tools.corpus.tables.database import chunks, database_url
from backtrail.tools.corpus.tables.shared_table import SharedTable, shared_engine

_ENTRIES = SharedTable(
    "backtrail_journal",
    "entries",
    "journal text NOT NULL, key text NOT NULL, content text NOT NULL, PRIMARY KEY (journal, key)",
    lock=7246174111,
)
_TABLE = _ENTRIES.name
_PUT = text(
    f"INSERT INTO {_TABLE} VALUES (:journal, :key, :content) "
    "ON CONFLICT (journal, key) DO UPDATE SET content = EXCLUDED.content"
)
_GET = text(f"SELECT key, content FROM {_TABLE} WHERE journal = :journal AND key = ANY(:keys)")
_ALL = text(f"SELECT key, content FROM {_TABLE} WHERE journal = :journal ORDER BY key")
_KEYS = text(f"SELECT key FROM {_TABLE} WHERE journal = :journal")
_REMOVE = text(f"DELETE FROM {_TABLE} WHERE journal = :journal AND key = ANY(:keys)")

EXTRACTIONS, DECISIONS = "extractions", "decisions"


def shared_journal(corpus: str, kind: str) -> SharedJournal | None:
    """The journal of a shared corpus; None for a local corpus, or without Postgres.

    Args:
        kind: kind of entries: ``EXTRACTIONS``, ``DECISIONS``, or the results of an evaluation.
    """
    url, kept = database_url(), kept_in(corpus)
    return SharedJournal(url, f"{kept.address} {corpus} {kind}") if url and kept else None


class SharedJournal:
    """The entries of one journal. Every method raises DatabaseUnavailable while the server is away."""

    def __init__(self, url: str, name: str) -> None:
        self._engine = shared_engine(url)
        self._name = name
        self._made = False

    def put(self, key: str, content: str) -> None:
        """Store an entry, replacing one with the same key. Key and content must not contain NUL."""
        self._run(_PUT, {"key": key, "content": content})

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """The existing entries of these keys."""
        found: dict[str, str] = {}
        for some in chunks(keys):
            found.update(self._run(_GET, {"keys": list(some)}))
        return found

    def entries(self) -> Mapping[str, str]:
        """All entries by key."""
        return dict(self._run(_ALL, {}))

    def __iter__(self) -> Iterator[str]:
        """The keys of all entries."""
        return iter([row[0] for row in self._run(_KEYS, {})])

    def remove(self, keys: Sequence[str]) -> None:
        """Remove entries."""
        for some in chunks(keys):
            self._run(_REMOVE, {"keys": list(some)})

    def clear(self) -> None:
        """Remove all entries."""
        self.remove(list(self))

    def _run(self, statement: object, values: dict[str, object]) -> list[tuple[str, str]]:
        if not self._made:
            self._make()
        autocommit = self._engine.execution_options(isolation_level="AUTOCOMMIT")  # machines may put the same key
        with autocommit.connect() as connection:
            done = connection.execute(statement, {"journal": self._name, **values})  # type: ignore[call-overload]
            return [tuple(row) for row in done] if done.returns_rows else []

    def _make(self) -> None:
        with self._engine.begin() as connection:
            _ENTRIES.make(connection)
        self._made = True
