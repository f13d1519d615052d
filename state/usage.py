"""Usage: what a run has spent, as a ledger of charges.

A plain sum would count a replayed step twice. Charges have the id of their node and step, so merging is idempotent and
the trace can show where the money went.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NotRequired

from typing_extensions import TypedDict

Stage = Literal["model", "vectors", "embedding", "web"]
STAGES: tuple[Stage, ...] = ("model", "vectors", "embedding", "web")


class Charge(TypedDict):
    """Usage of one node in one step. Notes report deviations: pictures left out, tokens estimated.

    ``cached_tokens`` are input tokens that the server had cached, ``reasoning_tokens`` output tokens that no reply
    shows; both are absent if a server reports none. ``refused`` maps ceilings under which a call did not fit to their
    value then. ``share`` is given to parallel work, [which, of how many]: what is left of a budget is divided among
    them.
    """

    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    seconds: dict[str, float]
    cached_tokens: NotRequired[int]
    reasoning_tokens: NotRequired[int]
    notes: NotRequired[list[str]]
    refused: NotRequired[dict[str, float]]
    share: NotRequired[list[int]]


Usage = Charge
"""The same measures, summed over a run."""


def charge(
    *,
    calls: int = 0,
    input_tokens: int = 0,
    output_tokens: int = 0,
    cached_tokens: int = 0,
    reasoning_tokens: int = 0,
    cost_usd: float = 0.0,
    stage: Stage | None = None,
    seconds: float = 0.0,
) -> Charge:
    """Build a charge with its time booked on one stage."""
    made: Charge = {
        "calls": calls,
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cost_usd": cost_usd,
        "seconds": {stage: round(seconds, 6)} if stage else {},
    }
    if cached_tokens:
        made["cached_tokens"] = cached_tokens
    if reasoning_tokens:
        made["reasoning_tokens"] = reasoning_tokens
    return made


def add_charges(charges: Iterable[Charge]) -> Usage:
    """Sum charges; the empty sum is zero everywhere. Refusals belong to one charge and are not summed."""
    total = charge()
    for one in charges:
        total["calls"] += one["calls"]
        total["input_tokens"] += one["input_tokens"]
        total["output_tokens"] += one["output_tokens"]
        total["cost_usd"] += one["cost_usd"]
        for part in ("cached_tokens", "reasoning_tokens"):
            if tokens := one.get(part, 0):
                total[part] = total.get(part, 0) + tokens
        for stage, seconds in one["seconds"].items():
            total["seconds"][stage] = total["seconds"].get(stage, 0.0) + seconds
        notes = total.get("notes", []) + one.get("notes", [])
        if notes:
            total["notes"] = list(dict.fromkeys(notes))
    return total


def merge_charges(current: dict[str, Charge], new: dict[str, Charge]) -> dict[str, Charge]:
    """Reducer: charges by id; a known id replaces its charge, so replays do not count twice."""
    return {**current, **new}


def total_usage(ledger: dict[str, Charge]) -> Usage:
    """Sum what a run has spent so far."""
    return add_charges(ledger.values())
