"""What people think of answers: a verdict, a comment, and the right answer if they gave one."""

from __future__ import annotations

import time
from typing import Any, Literal, cast

from sqlalchemy import select
from typing_extensions import TypedDict

from backtrail.tools.access.records.database import database, inserting, reading
from backtrail.tools.access.records.tables import FEEDBACK
from backtrail.tools.checkpoints.retry_outages import retries_outages

Verdict = Literal["up", "down"]

LONGEST = 2_000
"""Characters of a comment and of a right answer that are kept (ours)."""


class Feedback(TypedDict):
    """Feedback on the answer to one question of a thread; ``turn`` counts from 1."""

    thread: str
    turn: int
    owner: str
    verdict: Verdict
    comment: str
    expected: str
    since: float


@retries_outages
def note_feedback(
    thread: str, turn: int, verdict: Verdict, *, owner: str = "", comment: str = "", expected: str = ""
) -> None:
    """Store feedback in place of an earlier one. Blocking.

    Args:
        owner: who gave it; empty without keys.
        expected: the right answer.
    """
    values: dict[str, Any] = {"owner": owner, "verdict": verdict, "since": time.time()}
    values |= {"comment": comment[:LONGEST], "expected": expected[:LONGEST]}
    with database().begin() as connection:
        entry = inserting(connection, FEEDBACK).values(thread=thread, turn=turn, **values)
        connection.execute(entry.on_conflict_do_update(index_elements=["thread", "turn"], set_=values))


def feedback_on(thread: str) -> dict[int, Feedback]:
    """Return the feedback on the questions of a thread. Blocking."""
    return {one["turn"]: one for one in _found(FEEDBACK.c.thread == thread)}


def all_feedback(owner: str = "") -> list[Feedback]:
    """Return the feedback of a person, or of everybody, oldest first. Blocking."""
    return _found(FEEDBACK.c.owner == owner if owner else FEEDBACK.c.owner.is_not(None))


def forget_feedback(thread: str) -> None:
    """Delete the feedback on a deleted thread. Blocking."""
    with database().begin() as connection:
        connection.execute(FEEDBACK.delete().where(FEEDBACK.c.thread == thread))


def _found(wanted: Any) -> list[Feedback]:
    with reading() as connection:
        rows = connection.execute(select(FEEDBACK).where(wanted).order_by(FEEDBACK.c.since)).mappings()
        return [cast("Feedback", dict(row)) for row in rows]
