"""begin_round: decide whether there is another planning round, and its paradigm (CogPlanner 4.2.1)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.budget import exceeded
from backtrail.state.cogplanner.memory import Round
from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.cogplanner.variant import COGPLANNER
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge


class BeginRoundSlice(TypedDict):
    """The rounds so far, and the usage."""

    rounds: list[Round]
    usage: dict[str, Charge]


class BeginRoundWrites(TypedDict, total=False):
    """The paradigm of the next round and whether one decision plans it, or why there is none."""

    paradigm: Paradigm
    one_plan: bool
    stop_reason: str


def begin_round() -> SyncNode[BeginRoundSlice, BeginRoundWrites]:
    """Node: a reached ceiling or the limit of rounds ends the planning without a call."""

    def open_round(state: BeginRoundSlice, runtime: Runtime[Settings]) -> BeginRoundWrites:
        settings = settings_of(runtime)
        done = len(state["rounds"])
        over = exceeded(state["usage"], done, settings.budget)
        if over or done >= settings.cogplanner.rounds:
            return {"stop_reason": over or "limit:rounds"}
        paradigm = settings.cogplanner.paradigm
        # A separate planner may be tuned to the two decisions of the paper.
        one_model = settings.planner == settings.reader != OFFLINE
        one_plan = COGPLANNER.of(settings.variant).one_plan and paradigm == "sequential" and one_model
        return {"paradigm": paradigm, "one_plan": one_plan}

    return open_round
