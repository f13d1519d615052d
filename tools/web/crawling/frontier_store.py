"""Store crawled and pending addresses of a site in SQLite; survives a kill at any time.

Every answer is one transaction with its links, committed after its file was written. A killed run continues with its
pending addresses; a new run requests all again, for changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from backtrail.tools.errors import BacktrailError
from backtrail.tools.sqlite_file import connect

FORMAT = "1"
_ADVICE = "Remove its folder to fetch the site again."
MOST_NOTED = 20_000
"""Maximum of stored addresses beyond the bounds."""

_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY, scope TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS addresses (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, role TEXT NOT NULL, scope TEXT NOT NULL, depth INTEGER NOT NULL,
  queued INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0, visited INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT '', cause TEXT NOT NULL DEFAULT '', fresh INTEGER NOT NULL DEFAULT 0,
  file TEXT NOT NULL DEFAULT '', sha256 TEXT NOT NULL DEFAULT '', bytes INTEGER NOT NULL DEFAULT 0,
  etag TEXT NOT NULL DEFAULT '', modified TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL DEFAULT '',
  fetched REAL NOT NULL DEFAULT 0, same_as TEXT NOT NULL DEFAULT '', changed REAL NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS waiting ON addresses (queued, visited, role, depth, place);
CREATE INDEX IF NOT EXISTS held ON addresses (sha256);
CREATE INDEX IF NOT EXISTS placed ON addresses (place);
CREATE INDEX IF NOT EXISTS files ON addresses (lower(file));
CREATE TABLE IF NOT EXISTS beyond (run INTEGER, cause TEXT, key TEXT, PRIMARY KEY (run, cause, key)) WITHOUT ROWID;
"""


class FrontierStoreUnusable(BacktrailError):
    """The stored frontier of a site is of another version."""


@dataclass(frozen=True)
class Address:
    """An address and its state.

    Attributes:
        role: "page" for pages and documents, "picture".
        scope: the path prefix of the run that found it.
        visited: the run that last processed it; 0 for none.
        outcome: "held" (there is a file), "same" (as ``same_as``), "refused", "dead", "gone", "" (not known yet).
        fresh: whether its contents were new or changed in that run.
        file: relative to the folder of files; "" if there is none.
        fetched: time of the last request, in seconds since 1970.
        changed: time of the last change by the site map; 0 if unknown.
    """

    key: str
    url: str
    role: str
    scope: str
    depth: int
    queued: int = 0
    place: int = 0
    visited: int = 0
    outcome: str = ""
    cause: str = ""
    fresh: int = 0
    file: str = ""
    sha256: str = ""
    bytes: int = 0
    etag: str = ""
    modified: str = ""
    kind: str = ""
    fetched: float = 0.0
    same_as: str = ""
    changed: float = 0.0


_COLUMNS = tuple(Address.__dataclass_fields__)


class FrontierStore:
    """The stored frontier of one site. Used by one process at a time, in one thread.

    Raises:
        LedgerUnusable, StoredFileDamaged: the file is of another version, or damaged.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = connect(path, "settings", _ADVICE, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._connection.executescript(_TABLES)
        self._connection.execute("INSERT OR IGNORE INTO settings VALUES ('format', ?)", (FORMAT,))
        (found,) = self._one("SELECT value FROM settings WHERE name = 'format'") or ("",)
        if found != FORMAT:
            raise FrontierStoreUnusable(f"{path} is of another version ({found!r}). {_ADVICE}")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make the writes of the block one transaction."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    # --- runs ------------------------------------------------------------------------------------------

    def begin(self, scope: str) -> tuple[int, bool]:
        """Return the run to work on, and whether it resumes an unfinished one."""
        last = self._one("SELECT run, finished FROM runs WHERE scope = ? ORDER BY run DESC LIMIT 1", scope)
        if last and not last[1]:
            return int(str(last[0])), True
        cursor = self._connection.execute("INSERT INTO runs (scope) VALUES (?)", (scope,))
        return int(cursor.lastrowid or 0), False

    def finish(self, run: int) -> None:
        """Mark the run as finished."""
        self._connection.execute("UPDATE runs SET finished = 1 WHERE run = ?", (run,))
        self._connection.execute("DELETE FROM beyond WHERE run < ?", (run,))

    # --- pending addresses -------------------------------------------------------------------------------

    def queue(self, run: int, key: str, url: str, role: str, scope: str, depth: int, changed: float = 0.0) -> None:
        """Queue an address for this run, once; a page first found as a picture becomes a page."""
        self._connection.execute(
            "INSERT INTO addresses (key, url, role, scope, depth, queued, place, changed) "
            "VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM addresses), ?) "
            "ON CONFLICT (key) DO UPDATE SET queued = excluded.queued, url = excluded.url, scope = excluded.scope, "
            "role = CASE WHEN excluded.role = 'page' THEN 'page' ELSE role END, "
            "depth = CASE WHEN queued < excluded.queued THEN excluded.depth ELSE min(depth, excluded.depth) END, "
            "place = CASE WHEN queued < excluded.queued THEN excluded.place ELSE place END, "
            "changed = max(changed, excluded.changed)",
            (key, url, role, scope, depth, run, changed),
        )

    def is_queued(self, run: int, key: str) -> bool:
        """Whether an address was found in this run."""
        return self._one("SELECT 1 FROM addresses WHERE key = ? AND queued = ?", key, run) is not None

    def next(self, run: int, role: str) -> Address | None:
        """Return the next pending address of a role, by depth."""
        found = self._select("queued = ? AND visited < ? AND role = ? ORDER BY depth, place LIMIT 1", run, run, role)
        return next(found, None)

    def waiting(self, run: int, role: str) -> int:
        """Return the number of pending addresses of a role."""
        return self._count("queued = ? AND visited < ? AND role = ?", run, run, role)

    def not_met(self, run: int, scope: str, role: str) -> list[Address]:
        """Return files of earlier runs of a scope whose addresses this run has not found."""
        return list(self._select("scope = ? AND queued < ? AND role = ? AND outcome = 'held'", scope, run, role))

    def queries(self, run: int, shape: str) -> int:
        """Return the number of addresses in this run that differ only in their query."""
        low, high = f"{shape}?", f"{shape}@"  # '@' follows '?'
        return self._count("queued = ? AND key >= ? AND key < ?", run, low, high)

    # --- known addresses ---------------------------------------------------------------------------------

    def get(self, key: str) -> Address | None:
        """Return an address by key; None if it is unknown."""
        return next(self._select("key = ?", key), None)

    def record(self, address: Address) -> None:
        """Store the state of an address."""
        marks = ", ".join("?" * len(_COLUMNS))
        values = tuple(getattr(address, name) for name in _COLUMNS)
        self._connection.execute(f"INSERT OR REPLACE INTO addresses ({', '.join(_COLUMNS)}) VALUES ({marks})", values)

    def holder(self, sha256: str, run: int) -> Address | None:
        """Return a page with these contents that was processed in this run."""
        return next(self._select("sha256 = ? AND visited = ? AND outcome = 'held' LIMIT 1", sha256, run), None)

    def file_taken(self, file: str, key: str) -> bool:
        """Whether another address has a file of that name, ignoring case."""
        return self._count("lower(file) = lower(?) AND key <> ?", file, key) > 0

    def held(self) -> Iterator[Address]:
        """Return all addresses with a file, by file name."""
        return self._select("outcome = 'held' ORDER BY file")

    def known(self) -> Iterator[Address]:
        """Return all addresses that were processed at least once."""
        return self._select("visited > 0")

    # --- counts ------------------------------------------------------------------------------------------

    def note_beyond(self, run: int, cause: str, key: str) -> None:
        """Store an address that is not requested because of a bound."""
        if self._one("SELECT count(*) FROM beyond WHERE run = ?", run) < (MOST_NOTED,):
            self._connection.execute("INSERT OR IGNORE INTO beyond VALUES (?, ?, ?)", (run, cause, key[:300]))

    def beyond(self, run: int) -> dict[str, int]:
        """Return the numbers of addresses beyond the bounds, by bound."""
        return dict(self._connection.execute("SELECT cause, count(*) FROM beyond WHERE run = ? GROUP BY cause", (run,)))

    def outcomes(self, run: int, roles: Collection[str]) -> list[tuple[str, str, int, int, int]]:
        """Count the processed addresses of a run: outcome, cause, whether fresh, number, bytes."""
        marks = ", ".join("?" * len(roles))
        statement = (
            "SELECT outcome, cause, fresh, count(*), sum(bytes * fresh) FROM addresses "
            f"WHERE visited = ? AND role IN ({marks}) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
        return list(self._connection.execute(statement, (run, *roles)))

    def examples(self, run: int, outcome: str, cause: str, most: int) -> list[str]:
        """Return some addresses of one outcome and cause."""
        found = self._select(
            "visited = ? AND outcome = ? AND cause = ? ORDER BY place LIMIT ?", run, outcome, cause, most
        )
        return [address.url for address in found]

    # --- plumbing ----------------------------------------------------------------------------------------

    def _one(self, statement: str, *values: object) -> tuple[object, ...]:
        return self._connection.execute(statement, values).fetchone()

    def _count(self, condition: str, *values: object) -> int:
        return int(str(self._one(f"SELECT count(*) FROM addresses WHERE {condition}", *values)[0]))

    def _select(self, condition: str, *values: object) -> Iterator[Address]:
        statement = f"SELECT {', '.join(_COLUMNS)} FROM addresses WHERE {condition}"
        return (Address(*row) for row in self._connection.execute(statement, values).fetchall())
