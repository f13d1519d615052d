"""Progress of each corpus's ingest, shared by all processes and kept over restarts."""

from __future__ import annotations

import time
from typing import Any, Literal

from sqlalchemy import select

from backtrail.tools.access.records.database import database, inserting, reading
from backtrail.tools.access.records.tables import INGESTS
from backtrail.tools.checkpoints.retry_outages import retries_outages

State = Literal["running", "done", "failed"]


@retries_outages
def note_ingest(
    corpus: str, state: State, *, stage: str = "", done: int = 0, total: int | None = None, result: str = ""
) -> None:
    """Store the progress of an ingest. Blocking.

    Args:
        result: the result as JSON of counts, or why it failed.
    """
    values = {"state": state, "stage": stage, "done": done, "total": total, "result": result, "seen": time.time()}
    with database().begin() as connection:
        entry = inserting(connection, INGESTS).values(corpus=corpus, **values)
        connection.execute(entry.on_conflict_do_update(index_elements=["corpus"], set_=values))


def last_ingest(corpus: str) -> dict[str, Any] | None:
    """The progress that was stored last; None without any. Blocking."""
    with reading() as connection:
        row = connection.execute(select(INGESTS).where(INGESTS.c.corpus == corpus)).mappings().first()
    return {key: value for key, value in row.items() if key != "corpus"} if row else None


def forget_ingest(corpus: str) -> None:
    """Delete the progress of a removed corpus. Blocking."""
    with database().begin() as connection:
        connection.execute(INGESTS.delete().where(INGESTS.c.corpus == corpus))
