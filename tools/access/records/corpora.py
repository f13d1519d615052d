"""Owners of corpora: a holder, a group, or nobody, where the host grants the corpus."""

from __future__ import annotations

from sqlalchemy import select

from backtrail.tools.access.records.database import alone, database, inserting, reading
from backtrail.tools.access.records.tables import CORPORA


def corpus_owner(corpus: str) -> str | None:
    """The owner of a corpus; None without one, or for an invalid name. Blocking."""
    if "\x00" in corpus:  # Postgres does not store NUL
        return None
    with reading() as connection:
        return connection.execute(select(CORPORA.c.owner).where(CORPORA.c.corpus == corpus)).scalar()


def owned_corpora() -> dict[str, str]:
    """The owner of every corpus that has one. Blocking."""
    with reading() as connection:
        return {
            str(corpus): str(owner) for corpus, owner in connection.execute(select(CORPORA.c.corpus, CORPORA.c.owner))
        }


def claim_corpus(corpus: str, owner: str, now: float) -> str:
    """Set the owner of a corpus without one, and return the owner that it then has. Blocking."""
    with database().begin() as connection:
        alone(connection, corpus)
        connection.execute(
            inserting(connection, CORPORA).values(corpus=corpus, owner=owner, since=now).on_conflict_do_nothing()
        )
        return str(connection.execute(select(CORPORA.c.owner).where(CORPORA.c.corpus == corpus)).scalar_one())


def release_corpus(corpus: str) -> None:
    """Remove the owner of a deleted corpus. Blocking."""
    with database().begin() as connection:
        connection.execute(CORPORA.delete().where(CORPORA.c.corpus == corpus))
