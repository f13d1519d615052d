"""Vectors by (text, embedder): what was embedded once is never embedded again, whatever kills the process."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.tables.database import chunks


class VectorCache:
    """A SQLite file of vectors keyed by text hash; one file per embedder fingerprint.

    Each ``put`` is committed when it returns. Used by the one writer of a corpus only.
    """

    def __init__(self, folder: Path, fingerprint: str, dimension: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / f"vectors-{hashlib.sha256(fingerprint.encode()).hexdigest()[:16]}.sqlite"
        self._dimension = dimension
        self._connection = sqlite3.connect(self.file, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            self._connection.execute(f"PRAGMA {pragma}")
        # Not WITHOUT ROWID: rows of 1.5 kB would each take an overflow page of 4 kB.
        self._connection.execute("CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, vector BLOB NOT NULL)")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def known(self, hashes: Sequence[bytes]) -> set[bytes]:
        """Those of the hashes that have a vector."""
        found: set[bytes] = set()
        for some in chunks(hashes):
            marks = ",".join("?" * len(some))
            found.update(
                h for (h,) in self._connection.execute(f"SELECT hash FROM vectors WHERE hash IN ({marks})", some)
            )
        return found

    def hashes(self) -> list[bytes]:
        """All that has a vector."""
        return [h for (h,) in self._connection.execute("SELECT hash FROM vectors")]

    def put(self, hashes: Sequence[bytes], vectors: Vectors) -> None:
        """Store vectors [n, dimension], and commit."""
        rows = [(h, np.ascontiguousarray(v, np.float32).tobytes()) for h, v in zip(hashes, vectors, strict=True)]
        self._connection.execute("BEGIN")
        try:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def get(self, hashes: Sequence[bytes]) -> Vectors:
        """Vectors [n, dimension] in the order given. KeyError when one is missing."""
        found: dict[bytes, bytes] = {}
        for some in chunks(sorted(set(hashes))):
            marks = ",".join("?" * len(some))
            found.update(self._connection.execute(f"SELECT hash, vector FROM vectors WHERE hash IN ({marks})", some))
        joined = b"".join(found[h] for h in hashes)
        return np.frombuffer(joined, np.float32).reshape(len(hashes), self._dimension)

    def remove_others(self) -> None:
        """Remove the files of embedders that the corpus is no longer indexed with."""
        for file in self.file.parent.glob("vectors-*.sqlite*"):
            if not file.name.startswith(self.file.name):
                file.unlink(missing_ok=True)

    def keep_only(self, used: set[bytes]) -> int:
        """Forget every other text's vector; return how many went."""
        unused = [(h,) for h in self.hashes() if h not in used]
        self._connection.execute("BEGIN")
        self._connection.executemany("DELETE FROM vectors WHERE hash = ?", unused)
        self._connection.execute("COMMIT")
        return len(unused)
