"""Request rate of each key over all processes, as a leaky bucket."""

from __future__ import annotations

import time

from sqlalchemy import Connection, select, text

from backtrail.tools.access.records.database import alone, database, inserting
from backtrail.tools.access.records.tables import PACES

MINUTE = 60.0


def wait_for_request(name: str, a_minute: int, now: float | None = None) -> float:
    """Seconds until the next request is allowed; 0 admits and counts this one. Blocking."""
    now = time.time() if now is None else now
    with database().begin() as connection:
        _commit_async(connection)
        alone(connection, f"pace {name}")
        row = connection.execute(select(PACES.c.left, PACES.c.since).where(PACES.c.name == name)).first()
        left, since = (float(row[0]), float(row[1])) if row else (float(a_minute), now)
        left = min(float(a_minute), left + max(0.0, now - since) * a_minute / MINUTE)
        waits = 0.0 if left >= 1 else (1 - left) * MINUTE / a_minute
        values = {"left": left if waits else left - 1, "since": now}
        entry = inserting(connection, PACES).values(name=name, **values)
        connection.execute(entry.on_conflict_do_update(index_elements=["name"], set_=values))
    return waits


def _commit_async(connection: Connection) -> None:
    """Do not wait for the disk: a power cut may lose the last requests."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL synchronous_commit = off"))
