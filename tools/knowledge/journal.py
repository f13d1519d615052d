"""Journal of extractors' replies, stored at once, so that a killed run pays for nothing twice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.journal.shared import EXTRACTIONS, SharedJournal, shared_journal
from backtrail.tools.sqlite_file import connect

_REMEDY = "Delete it: a model reads its chunks again."


class ExtractionJournal(Protocol):
    """Replies by content hash and extractor. A reply is durable once ``put`` returns.

    The graph is defined by the corpus's tables; the journal also has replies of killed runs, and those for contents
    that the corpus had before and may have again.
    """

    def close(self) -> None:
        """Close the journal."""
        ...

    def put(self, content_hash: bytes, extractor: str, content: str) -> None:
        """Store a reply."""
        ...

    def get(self, hashes: Sequence[bytes], fingerprints: Sequence[str]) -> dict[bytes, str]:
        """Return the stored replies; of several extractors' replies, that of the first fingerprint."""
        ...

    def keep_only(self, used: Collection[bytes]) -> int:
        """Delete replies about all other contents; return their number."""
        ...


def open_journal(corpus: Path) -> ExtractionJournal:
    """Open the journal of a corpus: a file, and a table in Postgres if machines share the corpus."""
    own = FileJournal(corpus / "knowledge")
    shared = shared_journal(corpus.name, EXTRACTIONS)
    return BothJournals(own, shared) if shared else own


class BothJournals:
    """This machine's replies, and those of all machines that share the corpus."""

    def __init__(self, own: FileJournal, shared: SharedJournal) -> None:
        self._own, self._shared = own, shared

    def close(self) -> None:
        """Close the file."""
        self._own.close()

    def put(self, content_hash: bytes, extractor: str, content: str) -> None:
        """Store a reply, locally first, so that it is not lost if the server is unreachable."""
        self._own.put(content_hash, extractor, content)
        self._shared.put(_key(content_hash, extractor), content)

    def get(self, hashes: Sequence[bytes], fingerprints: Sequence[str]) -> dict[bytes, str]:
        """Return the replies stored in either."""
        found = self._own.get(hashes, fingerprints)
        keys = {_key(one, extractor): one for extractor in reversed(fingerprints) for one in hashes if one not in found}
        replies = self._shared.get(list(keys))
        return found | {keys[key]: replies[key] for key in keys if key in replies}

    def keep_only(self, used: Collection[bytes]) -> int:
        """Delete replies in both. Another machine may have to repeat replies of a running extraction."""
        unused = [key for key in self._shared if bytes.fromhex(key.partition(" ")[0]) not in used]
        self._shared.remove(unused)
        return self._own.keep_only(used) + len(unused)


def copy_to_local(corpus: Path) -> None:
    """Copy the replies of all machines to the local file, before the corpus stops being shared."""
    shared = shared_journal(corpus.name, EXTRACTIONS)
    if shared is None:
        return
    with closing(FileJournal(corpus / "knowledge")) as own:
        for key, content in shared.entries().items():
            content_hash, _, extractor = key.partition(" ")
            own.put(bytes.fromhex(content_hash), extractor, content)


def _key(content_hash: bytes, extractor: str) -> str:
    return f"{content_hash.hex()} {extractor}"


class FileJournal:
    """Implements ``ExtractionJournal`` by a SQLite file in the corpus's folder, for its one writer."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._connection = connect(folder / "extractions.sqlite", "replies", _REMEDY, isolation_level=None)
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
