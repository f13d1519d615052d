"""The pointer of a shared corpus: the one place that says what is published. Moving it publishes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.corpus.tables.database import database_url
from backtrail.tools.errors import SettingsError


class Turn(Protocol):
    """Being the one publisher of a corpus."""

    def current(self) -> Publication | None:
        """What is published now; None before the first."""
        ...

    def move(self, publication: Publication) -> None:
        """Publish, if what is published is still the one before: else PublishConflict, and nothing has changed."""
        ...

    def remove(self, number: int) -> None:
        """Take back the publication of this number, so that there is no such corpus; PublishConflict as above."""
        ...


class Pointer(Protocol):
    """The pointers of one store."""

    kind: str

    def read(self, corpus: str) -> Publication | None:
        """What is published; None when there is no such corpus.

        Raises:
            DatabaseUnavailable, StoreUnavailable: it cannot be said now.
        """
        ...

    def names(self) -> Sequence[str]:
        """All published corpora, sorted."""
        ...

    def publishing(self, corpus: str) -> AbstractContextManager[Turn]:
        """Become the one publisher.

        Raises:
            CorpusLocked: another one does not come to an end.
        """
        ...


def open_pointer(address: StoreAddress) -> Pointer:
    """The pointers of a store: rows in Postgres where BACKTRAIL_DATABASE_URL names one, else files in its folder.

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
            f"What is published in {address} stands in Postgres: set BACKTRAIL_DATABASE_URL=postgresql://user@host/db. "
            "Only a store in a folder (lance:/folder) does without."
        )
    return FilePointer(address.folder)
