"""The groups of each subject in its last token: queued and resumed runs have no token."""

from __future__ import annotations

import json
import time

from sqlalchemy import select

from backtrail.tools.access.records.database import database, inserting, reading
from backtrail.tools.access.records.tables import SUBJECTS

_written: dict[str, tuple[str, ...]] = {}


def note_groups(name: str, groups: tuple[str, ...]) -> None:
    """Store a subject's groups if they changed since this process wrote them. Blocking."""
    if _written.get(name) == groups:
        return
    values = {"groups": json.dumps(groups), "seen": time.time()}
    with database().begin() as connection:
        entry = inserting(connection, SUBJECTS).values(name=name, **values)
        connection.execute(entry.on_conflict_do_update(index_elements=["name"], set_=values))
    _written[name] = groups


def groups_of(name: str) -> tuple[str, ...]:
    """The stored groups of a subject. Blocking."""
    with reading() as connection:
        row = connection.execute(select(SUBJECTS.c.groups).where(SUBJECTS.c.name == name)).scalar()
    return tuple(json.loads(row)) if row else ()
