"""begin_round: whether there may be another round of planning, and in which paradigm (CogPlanner 4.2.1)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of
from backtrail.nodes.node import SyncNode
from backtrail.state.budget import exceeded
from backtrail.state.cogplanner.memory import Round
from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge


class BeginRoundSlice(TypedDict):
    """The rounds so far, and what they cost."""

    rounds: list[Round]
    usage: dict[str, Charge]


class BeginRoundWrites(TypedDict, total=False):
    """The paradigm of the next round, or why there is none."""

    paradigm: Paradigm
    stop_reason: str


def begin_round() -> SyncNode[BeginRoundSlice, BeginRoundWrites]:
    """Node: a reached ceiling or the limit of rounds ends the planning without asking anyone."""

    def open_round(state: BeginRoundSlice, runtime: Runtime[Settings]) -> BeginRoundWrites:
        settings = settings_of(runtime)
        done = len(state["rounds"])
        over = exceeded(state["usage"], done, settings.budget)
        if over or done >= settings.cogplanner.rounds:
            return {"stop_reason": over or "limit:rounds"}
        return {"paradigm": settings.cogplanner.paradigm}

    return open_round
