"""The pointer of a shared corpus, which names the current publication. Moving it publishes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.corpus.tables.database import database_url
from backtrail.tools.errors import SettingsError


class Turn(Protocol):
    """The exclusive right to publish a corpus."""

    def current(self) -> Publication | None:
        """The current publication; None before the first."""
        ...

    def move(self, publication: Publication) -> None:
        """Publish as the successor of the current publication; PublishConflict if another one is current."""
        ...

    def remove(self, number: int) -> None:
        """Withdraw the corpus, whose current publication has this number; PublishConflict as above."""
        ...


class Pointer(Protocol):
    """The pointers of one store."""

    kind: str

    def read(self, corpus: str) -> Publication | None:
        """The current publication; None without such a corpus.

        Raises:
            DatabaseUnavailable, StoreUnavailable: the pointer cannot be read now.
        """
        ...

    def names(self) -> Sequence[str]:
        """Names of all published corpora, sorted."""
        ...

    def publishing(self, corpus: str) -> AbstractContextManager[Turn]:
        """Wait for the exclusive right to publish.

        Raises:
            CorpusLocked: another publisher does not finish in time.
        """
        ...


def open_pointer(address: StoreAddress) -> Pointer:
    """The pointers of a store: rows in the Postgres of BACKTRAIL_DATABASE_URL, else files.

    Raises:
        SettingsError: an object store without Postgres.
    """
    from backtrail.tools.corpus.store.pointer_file import FilePointer
    from backtrail.tools.corpus.store.pointer_postgres import PostgresPointer

    url = database_url()
    if url:
        return PostgresPointer(url, address)
    if address.folder is None:
        raise SettingsError(
            f"The store {address} needs Postgres for its publications: set "
            "BACKTRAIL_DATABASE_URL=postgresql://user@host/db. Only a store in a folder (lance:/folder) does not."
        )
    return FilePointer(address.folder)
