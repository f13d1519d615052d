"""keep: close a round with the elements that its searches retrieved (CogPlanner 3.1.1, S_{t+1})."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.nodes.rank_all_evidence import fused
from backtrail.state.cogplanner.memory import Round
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings


class KeepSlice(TypedDict):
    """The current round, and all searches."""

    rounds: list[Round]
    searches: list[SearchRecord]


class KeepWrites(TypedDict):
    """The round with its elements."""

    rounds: list[Round]


def keep() -> SyncNode[KeepSlice, KeepWrites]:
    """Node: set the round's elements, best first over its searches."""

    def close_round(state: KeepSlice, runtime: Runtime[Settings]) -> KeepWrites:
        current = state["rounds"][-1]
        own = [search for search in state["searches"] if search["round"] == current["index"]]
        return {"rounds": [{**current, "found": [scored["id"] for scored in fused(own)]}]}

    return close_round
