"""Figures of the load test: lost and wrong answers, repeated calls, and latencies."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hosted_load.model import Call
from hosted_load.users import Outcome

STORED_WITHIN = 2.0
"""Seconds within which an answered call is stored: until then it counts as in flight."""


@dataclass(frozen=True)
class Repeated:
    """A repeated call, whether its first answer was received, and its seconds before the server's kill.

    ``before_kill`` is None when the server was not killed in the meantime.
    """

    ticket: str
    decision: str
    taken: bool
    before_kill: float | None

    @property
    def in_flight(self) -> bool:
        """Whether it was repeated because it was in flight or not stored yet."""
        return not self.taken or (self.before_kill is not None and self.before_kill <= STORED_WITHIN)


def repeated(calls: Sequence[Call], kills: Sequence[tuple[float, str]]) -> list[Repeated]:
    """Return calls with the same prompt for the same question, except the first."""
    alike: defaultdict[tuple[str, str], list[Call]] = defaultdict(list)
    for call in calls:
        alike[call.ticket, call.digest].append(call)
    found: list[Repeated] = []
    for several in alike.values():
        for first, again in pairwise(sorted(several, key=lambda call: call.began)):
            moments = [at for at, who in kills if who == first.server and first.began <= at <= again.began]
            before = max(moments) - first.ended if moments and first.ended else None
            found.append(Repeated(first.ticket, first.decision, bool(first.ended), before))
    return found


def seconds(outcomes: Sequence[Outcome]) -> list[float]:
    """Return the latencies of finished questions."""
    return [one.ended - one.began for one in outcomes if one.ended]


def percentiles(times: Sequence[float]) -> tuple[float, float]:
    """Return p50 and p95."""
    if len(times) < 2:
        return (times[0], times[0]) if times else (float("nan"), float("nan"))
    return statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[18]


def disturbed(outcomes: Sequence[Outcome], kills: Sequence[tuple[float, str]]) -> list[Outcome]:
    """Return the questions during which a process was killed."""
    return [one for one in outcomes if any(one.began <= at <= (one.ended or at) for at, _ in kills)]
