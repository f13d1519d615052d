"""The groups that an issuer last put each subject into: a run that waits or is taken up again has no token."""

from __future__ import annotations

import json
import time

from sqlalchemy import select

from backtrail.tools.access.records.database import database, inserting, reading
from backtrail.tools.access.records.tables import SUBJECTS

_written: dict[str, tuple[str, ...]] = {}


def note_groups(name: str, groups: tuple[str, ...]) -> None:
    """Remember them, where they are others than this process wrote last. Blocking."""
    if _written.get(name) == groups:
        return
    values = {"groups": json.dumps(groups), "seen": time.time()}
    with database().begin() as connection:
        entry = inserting(connection, SUBJECTS).values(name=name, **values)
        connection.execute(entry.on_conflict_do_update(index_elements=["name"], set_=values))
    _written[name] = groups


def groups_of(name: str) -> tuple[str, ...]:
    """What was remembered. Blocking."""
    with reading() as connection:
        held = connection.execute(select(SUBJECTS.c.groups).where(SUBJECTS.c.name == name)).scalar()
    return tuple(json.loads(held)) if held else ()
