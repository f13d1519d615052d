"""next_round: on to the next chunks of candidates only while the instruction is not settled (ours)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.state.mmapg.memory import Chunk
from backtrail.state.settings import Settings


class RoundSlice(TypedDict):
    """The rounds, the first of which was examined just now, and whether it settled the instruction."""

    rounds: list[list[Chunk]]
    settled: bool


class RoundWrites(TypedDict):
    """The rounds that are left."""

    rounds: list[list[Chunk]]


def next_round() -> SyncNode[RoundSlice, RoundWrites]:
    """Node: what is examined next; nothing once enough is known."""

    def choose_round(state: RoundSlice, runtime: Runtime[Settings]) -> RoundWrites:
        return {"rounds": [] if state.get("settled") else state["rounds"][1:]}

    return choose_round
