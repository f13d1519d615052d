"""What extractors answered, by what they were shown: kept at once, so that a killed run pays for nothing twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from pathlib import Path

from backtrail.tools.corpus.tables.database import chunks


class ExtractionJournal:
    """A SQLite file of replies beside the corpus, by content hash and extractor. Each ``put`` is committed.

    The tables of the corpus are the truth about its graph; the journal also holds the replies of runs that were
    killed, and those for contents that the corpus had before and may have again. Used by the one writer only.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(folder / "extractions.sqlite", isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS replies "
            "(hash BLOB, extractor TEXT, content TEXT NOT NULL, PRIMARY KEY (hash, extractor))"
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def put(self, content_hash: bytes, extractor: str, content: str) -> None:
        """Keep a reply."""
        self._connection.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (content_hash, extractor, content))

    def get(self, hashes: Sequence[bytes], fingerprints: Sequence[str]) -> dict[bytes, str]:
        """Those replies that are held; where several extractors gave one, that of the first fingerprint."""
        found: dict[bytes, str] = {}
        for extractor in reversed(fingerprints):
            for some in chunks(hashes):
                marks = ",".join("?" * len(some))
                statement = f"SELECT hash, content FROM replies WHERE extractor = ? AND hash IN ({marks})"
                found.update(self._connection.execute(statement, (extractor, *some)))
        return found

    def keep_only(self, used: Collection[bytes]) -> int:
        """Forget replies about all other contents; return how many went."""
        stored = [h for (h,) in self._connection.execute("SELECT DISTINCT hash FROM replies")]
        unused = [(h,) for h in stored if h not in used]
        self._connection.execute("BEGIN")
        self._connection.executemany("DELETE FROM replies WHERE hash = ?", unused)
        self._connection.execute("COMMIT")
        return len(unused)
