"""Mirror of a site: its files in a corpus's folder, with the ledger of their addresses.

``corpora/<name>/web/<host>/files/<host>/…`` has the contents as served, ``ledger.sqlite`` the rest. Both are deleted
with the corpus. Deleting the folder of a host by hand is safe: the next ingest fetches it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backtrail.ingest.web.file_names import file_name, hashed_name, host_name
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.home import corpus_folder
from backtrail.tools.web.crawling.frontier_store import Address, FrontierStore


class Mirror:
    """Stored files of one site. Open it with ``open_mirror``."""

    def __init__(self, folder: Path, ledger: FrontierStore) -> None:
        self.root = folder / "files"
        self.root.mkdir(parents=True, exist_ok=True)
        self.ledger = ledger

    def path(self, address: Address) -> Path:
        """Return the file of an address."""
        return self.root / address.file

    def intact(self, address: Address | None) -> bool:
        """Whether the file of an address exists unchanged."""
        if address is None or not address.file or address.outcome != "held":
            return False
        try:
            return hashlib.sha256(self.path(address).read_bytes()).hexdigest() == address.sha256
        except OSError:
            return False

    def keep(self, key: str, url: str, extension: str, content: bytes, before: str) -> str:
        """Write contents atomically and return the file's name: the previous one if the extension is equal.

        Raises:
            OSError: writing failed, for instance on a full disk.
        """
        name = before if before.endswith(extension) else ""
        if not name:
            name = file_name(url, extension)
            if self.ledger.file_taken(name, key) or self._in_the_way(name):
                name = hashed_name(url, extension)
            self.remove(before)
        write_atomically(self.root / name, content)
        return name

    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""
        if name:
            (self.root / name).unlink(missing_ok=True)

    def _in_the_way(self, name: str) -> bool:
        """Whether a file has the name of a needed folder, or the other way round."""
        path = self.root / name
        return path.is_dir() or any(above.is_file() for above in path.parents if above.is_relative_to(self.root))


@contextmanager
def open_mirror(corpus: str, start: str) -> Iterator[Mirror]:
    """Open the mirror of a site in a corpus, for one process at a time.

    Args:
        start: an address of the site, in its normal form.

    Raises:
        CorpusLocked: another process crawls that site for that corpus.
        LedgerUnusable: the ledger is of another version.
    """
    folder = corpus_folder(corpus) / "web" / host_name(start)
    with writer_lock(corpus, folder):
        ledger = FrontierStore(folder / "ledger.sqlite")
        try:
            yield Mirror(folder, ledger)
        finally:
            ledger.close()
