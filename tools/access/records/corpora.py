"""Whose a corpus is: a holder's, a group's, or nobody's, which is the host's to grant."""

from __future__ import annotations

from sqlalchemy import select

from backtrail.tools.access.records.database import alone, database, inserting, reading
from backtrail.tools.access.records.tables import CORPORA


def corpus_owner(corpus: str) -> str | None:
    """The owner of a corpus; None when it is nobody's, as what cannot be a name is. Blocking."""
    if "\x00" in corpus:  # Postgres holds none
        return None
    with reading() as connection:
        return connection.execute(select(CORPORA.c.owner).where(CORPORA.c.corpus == corpus)).scalar()


def owned_corpora() -> dict[str, str]:
    """Every corpus that is somebody's, with its owner. Blocking."""
    with reading() as connection:
        return {
            str(corpus): str(owner) for corpus, owner in connection.execute(select(CORPORA.c.corpus, CORPORA.c.owner))
        }


def claim_corpus(corpus: str, owner: str, now: float) -> str:
    """Make a corpus somebody's, unless it is somebody's already; whose it is then. Blocking."""
    with database().begin() as connection:
        alone(connection, corpus)
        connection.execute(
            inserting(connection, CORPORA).values(corpus=corpus, owner=owner, since=now).on_conflict_do_nothing()
        )
        return str(connection.execute(select(CORPORA.c.owner).where(CORPORA.c.corpus == corpus)).scalar_one())


def release_corpus(corpus: str) -> None:
    """A corpus is gone: its name is nobody's. Blocking."""
    with database().begin() as connection:
        connection.execute(CORPORA.delete().where(CORPORA.c.corpus == corpus))
