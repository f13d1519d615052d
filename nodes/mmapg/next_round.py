"""next_round: continue with the next chunks until the instruction is settled or a round relates nothing (ours).

Candidates come nearest first, so those after a round without a related one are farther still. Candidates that a link
led to are examined anyway: they need not be near.
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.state.mmapg.memory import Candidate, Chunk, Finding
from backtrail.state.settings import Settings


class RoundSlice(TypedDict):
    """The rounds, of which the first was just examined, what it found, and whether that settled the instruction."""

    candidates: list[Candidate]
    findings: dict[str, Finding]
    rounds: list[list[Chunk]]
    settled: bool


class RoundWrites(TypedDict):
    """The rounds that are left."""

    rounds: list[list[Chunk]]


def next_round() -> SyncNode[RoundSlice, RoundWrites]:
    """Node: the remaining rounds; none once nothing more is to be expected."""

    def choose_round(state: RoundSlice, runtime: Runtime[Settings]) -> RoundWrites:
        return {"rounds": [] if state.get("settled") or _relates_nothing(state) else state["rounds"][1:]}

    return choose_round


def _relates_nothing(state: RoundSlice) -> bool:
    """Return whether every candidate of the examined round is unrelated, and no link leads to a later one."""
    examined, *later = [[key for chunk in chunks for key in chunk["components"]] for chunks in state["rounds"]]
    findings = state.get("findings", {})
    led = {one["component"] for one in state["candidates"] if one["parent"]}
    # A candidate without a finding could not be examined, which says nothing about the others.
    unrelated = all(key in findings and not findings[key]["related"] for key in examined)
    return unrelated and not led.intersection(key for keys in later for key in keys)
