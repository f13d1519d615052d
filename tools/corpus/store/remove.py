"""Remove a corpus from its shared store: the pointer first, then its tables."""

from __future__ import annotations

from backtrail.tools.corpus.storage import Kept
from backtrail.tools.corpus.store.lance_table import drop_table
from backtrail.tools.corpus.store.pointer import open_pointer
from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store.push import SEEN
from backtrail.tools.corpus.store.shared_tables import SHARED
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.journal.shared import DECISIONS, EXTRACTIONS, shared_journal


def remove_shared(kept: Kept, number: int | None = None) -> None:
    """Remove a corpus's publication and tables with all versions. Mirrors are removed at their next sync.

    Args:
        number: only if this publication is current; None removes any.

    Raises:
        PublishConflict: another publication is current.
        CorpusLocked, StoreUnavailable, DatabaseUnavailable: it cannot be done now.
    """
    with open_pointer(kept.address).publishing(kept.corpus) as turn:
        published = turn.current()
        if published is not None:
            turn.remove(published.number if number is None else number)
            clear_journals(kept.corpus)
            drop_tables_of(kept.address, kept.corpus, published)


def clear_journals(corpus: str) -> None:
    """Delete the journals of model replies for a corpus that is no longer shared."""
    for kind in (EXTRACTIONS, DECISIONS):
        if journal := shared_journal(corpus, kind):
            journal.clear()


def drop_tables_of(address: StoreAddress, corpus: str, published: Publication) -> None:
    """Delete the tables of a publication, and those left by a killed publisher."""
    for table in {*(table.name for table in SHARED), SEEN, *published.tables}:
        drop_table(address, address.place(corpus, published.space, f"{table}.lance"))
