"""next_round: continue with the next chunks of candidates until the instruction is settled (ours)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.state.mmapg.memory import Chunk
from backtrail.state.settings import Settings


class RoundSlice(TypedDict):
    """The rounds, of which the first was just examined, and whether it settled the instruction."""

    rounds: list[list[Chunk]]
    settled: bool


class RoundWrites(TypedDict):
    """The rounds that are left."""

    rounds: list[list[Chunk]]


def next_round() -> SyncNode[RoundSlice, RoundWrites]:
    """Node: the remaining rounds; none once the instruction is settled."""

    def choose_round(state: RoundSlice, runtime: Runtime[Settings]) -> RoundWrites:
        return {"rounds": [] if state.get("settled") else state["rounds"][1:]}

    return choose_round
