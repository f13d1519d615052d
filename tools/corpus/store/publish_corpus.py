"""Publish a change of a shared corpus: push the tables, then move the pointer."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection

from backtrail.tools.corpus.errors import CorpusError, PublishConflict
from backtrail.tools.corpus.storage import Kept
from backtrail.tools.corpus.store.lance_table import LanceTable
from backtrail.tools.corpus.store.pointer import Turn, open_pointer
from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store.push import Push, versions
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.lock import now
from backtrail.tools.corpus.writing.vector_cache import VectorCache

FIRST = "first"
"""The space of a corpus that was created in its store."""
CLEANED_EVERY = 8
"""Publications between two cleanings (ours): each lists all files of a table."""
_log = logging.getLogger(__name__)


class Sharing:
    """Publishes a change of a shared corpus before it is committed locally.

    Args:
        kept: the store of the corpus, and the publication that the change starts from.
    """

    def __init__(self, kept: Kept, folder: Path) -> None:
        self._kept, self._folder = kept, folder
        self.number = kept.number

    def publish(self, connection: Connection, meta: Meta, cache: VectorCache, *, forget: bool) -> None:
        """Make the change visible to all machines.

        Raises:
            PublishConflict: another machine published meanwhile.
            CorpusLocked, StoreUnavailable, DatabaseUnavailable: it cannot be published now.
        """
        kept = self._kept
        with open_pointer(kept.address).publishing(kept.corpus) as turn:
            before = turn.current()
            if (before.number if before else 0) != kept.number:
                raise PublishConflict(kept.corpus, before.by if before else "")
            push = Push(kept.address, kept.corpus, self._folder, connection, meta, cache)
            self.number = publish_push(turn, push, before, before.space if before else FIRST, meta, forget=forget)

    def note(self) -> None:
        """Record that this home's mirror has the publication."""
        self._kept.at(self.number, self._kept.pointer).note()


def publish_push(
    turn: Turn, push: Push, before: Publication | None, space: str, meta: Meta, *, forget: bool, resume: bool = False
) -> int:
    """Push and move the pointer; return the publication's number."""
    pushed = push.run(before, space, forget=forget, resume=resume)
    number = before.number + 1 if before else 1
    for table in pushed.values():
        table.keep(number)
    forgotten = number if forget else before.forgotten if before else 0
    turn.move(Publication(number, space, versions(pushed), meta, forgotten, now(), socket.gethostname()))
    if forget or number % CLEANED_EVERY == 0:
        _clean(pushed, number, forget=forget)
    return number


def _clean(pushed: Mapping[str, LanceTable], number: int, *, forget: bool) -> None:
    """Clean up old versions. An error is only logged, because a later publisher cleans up too."""
    try:
        for table in pushed.values():
            table.clean(number, forget=forget)
    except CorpusError as error:
        if forget:
            raise
        _log.warning("Old versions stay until the next cleaning: %s", error)
