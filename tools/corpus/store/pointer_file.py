"""Pointers as files of a store in a folder: ``NAME/published.json``, replaced at once.

For one machine, or machines that share a folder whose locks and renames work for all of them. Postgres gives more:
object storage, publishers that hold their turn by a session which ends with them wherever they run, and a name that is
looked up without touching the folder.
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
        """What is published; None when there is no such corpus."""
        try:
            return Publication.from_json((self._folder / corpus / _FILE).read_text("utf-8"))
        except FileNotFoundError:
            if not self._folder.is_dir():  # not mounted? Then nothing can be said of what it holds
                raise StoreUnavailable(str(self._folder), "there is no such folder; make or mount it") from None
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreUnavailable(str(self._folder), f"{corpus}/{_FILE} cannot be read: {error}") from error

    def names(self) -> list[str]:
        """All published corpora, sorted."""
        if not self._folder.is_dir():
            raise StoreUnavailable(str(self._folder), "there is no such folder; make or mount it")
        return sorted(file.parent.name for file in self._folder.glob(f"*/{_FILE}"))

    @contextmanager
    def publishing(self, corpus: str) -> Iterator[FileTurn]:
        """Become the one publisher, by a lock that the system lets go of when the process dies."""
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
    """Being the one publisher of a corpus in a folder."""

    def __init__(self, pointers: FilePointer, corpus: str, place: Path) -> None:
        self._pointers, self._corpus, self._place = pointers, corpus, place

    def current(self) -> Publication | None:
        """What is published now."""
        return self._pointers.read(self._corpus)

    def move(self, publication: Publication) -> None:
        """Publish, if what is published is still the one before."""
        self._must_be(publication.number - 1)
        beside = self._place / f"{_FILE}.{os.getpid()}"
        with beside.open("w", encoding="utf-8") as out:
            out.write(publication.to_json())
            out.flush()
            os.fsync(out.fileno())
        beside.replace(self._place / _FILE)

    def remove(self, number: int) -> None:
        """Take back the publication of this number."""
        self._must_be(number)
        (self._place / _FILE).unlink(missing_ok=True)

    def _must_be(self, number: int) -> None:
        held = self.current()
        if (held.number if held else 0) != number:
            raise PublishConflict(self._corpus, held.by if held else "")
