"""Spending of each holder by day, from the charges of the runs' ledgers.

A run is entered when it is admitted. The same transaction checks the quota, so that concurrent processes cannot exceed
it together. A run that is then refused is removed; one that never starts stops counting after ``ADMITTED_FOR``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from backtrail.state.usage import Usage
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.access.policy.errors import QuotaReached
from backtrail.tools.access.records.database import alone, database, inserting, reading
from backtrail.tools.access.records.tables import RUNS
from backtrail.tools.checkpoints.retry_outages import retries_outages

ADMITTED_FOR = 600.0
"""Seconds for which an admitted run counts that has not started: longer queues are unusual (ours)."""

SILENT_FOR = 900.0
"""Seconds without a report after which a running run counts as dead (ours)."""

RESERVED = "reserved-"
"""Prefix of provisional ids, for servers that assign a run's id after its admission."""

MINUTE, DAY = 60.0, 86_400.0


@dataclass(frozen=True)
class Spent:
    """What an owner spent today; ``minute`` counts runs of the last minute, ``concurrent_runs`` concurrent ones."""

    runs: int = 0
    tokens: int = 0
    usd: float = 0.0
    calls: int = 0
    minute: int = 0
    concurrent_runs: int = 0


def today(moment: float | None = None) -> str:
    """The date in UTC, as ISO 8601."""
    return datetime.fromtimestamp(moment if moment is not None else time.time(), UTC).date().isoformat()


def admit_run(run: str, whom: Allowed) -> Spent:
    """Enter a run, unless it would exceed a quota or a rate limit.

    Raises:
        QuotaReached: names the limit, and when to retry.
    """
    now = time.time()
    with database().begin() as connection:
        alone(connection, whom.name)
        spent = _spent(connection, whom.name, now, excluded=run)
        _check(spent, whom, now)
        _enter(connection, run, {"owner": whom.name, "day": today(now), "admitted": now})
    return spent


def take_back(runs: Sequence[str]) -> None:
    """Remove runs that were entered and then not created; runs that started stay."""
    with database().begin() as connection:
        connection.execute(RUNS.delete().where(RUNS.c.run.in_(runs), RUNS.c.began.is_(None)))


@retries_outages
def run_began(run: str, owner: str) -> None:
    """Record that a run started, perhaps again after its process died."""
    now = time.time()
    with database().begin() as connection:
        alone(connection, owner)
        _take_reservation(connection, run, owner)
        first = {"owner": owner, "day": today(now), "admitted": now}
        _enter(connection, run, {**first, "began": now, "seen": now}, {"seen": now, "ended": None, "began": now})


def _take_reservation(connection: Connection, run: str, owner: str) -> None:
    """Assign the run's id to the owner's oldest reservation, unless the id is entered already."""
    if connection.execute(select(RUNS.c.run).where(RUNS.c.run == run)).first():
        return
    waiting = select(RUNS.c.run).where(
        RUNS.c.owner == owner, RUNS.c.run.startswith(RESERVED, autoescape=True), RUNS.c.began.is_(None)
    )
    if oldest := connection.execute(waiting.order_by(RUNS.c.admitted).limit(1)).scalar():
        connection.execute(RUNS.update().where(RUNS.c.run == oldest).values(run=run))


@retries_outages
def run_spent(run: str, usage: Usage, *, ended: bool) -> None:
    """Record the total that a run has spent so far."""
    now = time.time()
    values = {
        "seen": now,
        "calls": usage["calls"],
        "tokens": usage["input_tokens"] + usage["output_tokens"],
        "usd": usage["cost_usd"],
        **({"ended": now} if ended else {}),
    }
    with database().begin() as connection:
        connection.execute(RUNS.update().where(RUNS.c.run == run).values(**values))


def spent_today(owner: str) -> Spent:
    """What an owner spent today."""
    with reading() as connection:
        return _spent(connection, owner, time.time())


def _spent(connection: Connection, owner: str, now: float, excluded: str = "") -> Spent:
    waits = (RUNS.c.began.is_(None)) & (RUNS.c.admitted > now - ADMITTED_FOR)
    works = (RUNS.c.began.is_not(None)) & (RUNS.c.ended.is_(None)) & (RUNS.c.seen > now - SILENT_FOR)
    counts = waits | RUNS.c.began.is_not(None)
    of_today = RUNS.c.day == today(now)

    def total(value: Any, condition: ColumnElement[bool]) -> ColumnElement[Any]:
        return func.coalesce(func.sum(case((condition, value), else_=0)), 0)

    row: Sequence[Any] = connection.execute(
        select(
            total(1, of_today & counts),
            total(RUNS.c.tokens, of_today),
            total(RUNS.c.usd, of_today),
            total(RUNS.c.calls, of_today),
            total(1, counts & (RUNS.c.admitted > now - MINUTE)),
            total(1, waits | works),
        ).where(RUNS.c.owner == owner, RUNS.c.run != excluded, RUNS.c.day.in_([today(now), today(now - DAY)]))
    ).one()
    return Spent(int(row[0]), int(row[1]), float(row[2]), int(row[3]), int(row[4]), int(row[5]))


def _check(spent: Spent, whom: Allowed, now: float) -> None:
    quota, rate = whom.quota, whom.rate
    midnight = DAY - now % DAY
    for used, most, what in (
        (spent.runs, quota.runs, "runs"), (spent.tokens, quota.tokens, "tokens"), (spent.usd, quota.usd, "US dollars"),
    ):  # fmt: skip
        if most is not None and used >= most:
            raise QuotaReached(f"Today's quota of {most:,} {what} is used up; it resets at 00:00 UTC.", midnight)
    if rate.runs is not None and spent.minute >= rate.runs:
        raise QuotaReached(f"{rate.runs:,} runs a minute may start here; try again in a minute.", MINUTE)
    if rate.concurrent_runs is not None and spent.concurrent_runs >= rate.concurrent_runs:
        raise QuotaReached(
            f"{spent.concurrent_runs:,} of your runs are pending or running, and {rate.concurrent_runs:,} may be; try "
            "again when one has ended.", 5.0,
        )  # fmt: skip


def _enter(connection: Connection, run: str, values: dict[str, object], again: dict[str, object] | None = None) -> None:
    entered = inserting(connection, RUNS).values(run=run, **values)
    if again:
        connection.execute(entered.on_conflict_do_update(index_elements=["run"], set_=again))
    else:
        connection.execute(entered.on_conflict_do_nothing())
