"""The files of one site in a corpus's folder, with the ledger of where each came from.

``corpora/<name>/web/<host>/files/<host>/…`` holds contents as they were served, ``ledger.sqlite`` the rest. Both go
with the corpus. Removing the folder of a host by hand is safe: the next ingest fetches it anew.
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
from backtrail.tools.web.crawling.frontier_store import Address, Ledger


class Mirror:
    """What is held of one site. Open it with ``open_mirror``."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self.root = folder / "files"
        self.root.mkdir(parents=True, exist_ok=True)
        self.ledger = ledger

    def path(self, address: Address) -> Path:
        """Where the contents of an address are."""
        return self.root / address.file

    def intact(self, address: Address | None) -> bool:
        """Whether the contents of an address are there as they were kept."""
        if address is None or not address.file or address.outcome != "held":
            return False
        try:
            return hashlib.sha256(self.path(address).read_bytes()).hexdigest() == address.sha256
        except OSError:
            return False

    def keep(self, key: str, url: str, extension: str, content: bytes, before: str) -> str:
        """Write contents whole, and return the file's name: the one it had before, if the ending is the same.

        Raises:
            OSError: the disk is full, say.
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
        """Remove a file, if it is there."""
        if name:
            (self.root / name).unlink(missing_ok=True)

    def _in_the_way(self, name: str) -> bool:
        """Whether a file has the name of a folder that is wanted, or the other way round."""
        path = self.root / name
        return path.is_dir() or any(above.is_file() for above in path.parents if above.is_relative_to(self.root))


@contextmanager
def open_mirror(corpus: str, start: str) -> Iterator[Mirror]:
    """The mirror of a site in a corpus, for one process at a time.

    Args:
        start: an address of the site, in its normal form.

    Raises:
        CorpusLocked: another process walks over that site for that corpus.
        LedgerUnusable: the record is damaged.
    """
    folder = corpus_folder(corpus) / "web" / host_name(start)
    with writer_lock(corpus, folder):
        ledger = Ledger(folder / "ledger.sqlite")
        try:
            yield Mirror(folder, ledger)
        finally:
            ledger.close()
