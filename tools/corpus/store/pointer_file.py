"""Pointers as files of a store in a folder: ``NAME/published.json``, replaced atomically.

For one machine, or machines that share a folder with working locks and renames. Postgres supports more: object storage,
locks that end with the publisher's session on any machine, and look-ups of names without the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from backtrail.tools.corpus.errors import CorpusLocked, PublishConflict, StoreUnavailable
from backtrail.tools.corpus.store.publication import WAIT, Publication

_FILE, _LOCK = "published.json", "publishing.lock"


class FilePointer:
    """The pointers of one folder."""

    kind = "file"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, corpus: str) -> Publication | None:
        """The current publication; None without such a corpus."""
        try:
            return Publication.from_json((self._folder / corpus / _FILE).read_text("utf-8"))
        except FileNotFoundError:
            if not self._folder.is_dir():  # it may not be mounted
                raise StoreUnavailable(str(self._folder), "there is no such folder; make or mount it") from None
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreUnavailable(str(self._folder), f"{corpus}/{_FILE} cannot be read: {error}") from error

    def names(self) -> list[str]:
        """Names of all published corpora, sorted."""
        if not self._folder.is_dir():
            raise StoreUnavailable(str(self._folder), "there is no such folder; make or mount it")
        return sorted(file.parent.name for file in self._folder.glob(f"*/{_FILE}"))

    @contextmanager
    def publishing(self, corpus: str) -> Iterator[FileTurn]:
        """Wait for the publisher's lock, which the system releases when the process dies."""
        place = self._folder / corpus
        lock = FileLock(place / _LOCK)
        try:
            place.mkdir(exist_ok=True)
            lock.acquire(timeout=WAIT)
        except Timeout:
            raise CorpusLocked(corpus, None, "") from None
        except OSError as error:
            raise StoreUnavailable(str(self._folder), str(error)) from error
        try:
            yield FileTurn(self, corpus, place)
        finally:
            lock.release()


class FileTurn:
    """The exclusive right to publish a corpus in a folder."""

    def __init__(self, pointers: FilePointer, corpus: str, place: Path) -> None:
        self._pointers, self._corpus, self._place = pointers, corpus, place

    def current(self) -> Publication | None:
        """The current publication."""
        return self._pointers.read(self._corpus)

    def move(self, publication: Publication) -> None:
        """Publish as the successor of the current publication."""
        self._must_be(publication.number - 1)
        beside = self._place / f"{_FILE}.{os.getpid()}"
        with beside.open("w", encoding="utf-8") as out:
            out.write(publication.to_json())
            out.flush()
            os.fsync(out.fileno())
        beside.replace(self._place / _FILE)

    def remove(self, number: int) -> None:
        """Withdraw the corpus, whose current publication has this number."""
        self._must_be(number)
        (self._place / _FILE).unlink(missing_ok=True)

    def _must_be(self, number: int) -> None:
        found = self.current()
        if (found.number if found else 0) != number:
            raise PublishConflict(self._corpus, found.by if found else "")
