"""What is left to do for one source before the vote: combine its answers to the parts, summarise a long answer."""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START

from backtrail.graphs.watched import Watched
from backtrail.nodes.hm_rag.combine import combine
from backtrail.nodes.hm_rag.summarise import current, summarise
from backtrail.state.hm_rag.memory import Settled, SettleState, SettleTask
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def first(state: SettleState) -> Literal["combine", "summarise"]:
    """Answers to parts are combined first."""
    return "combine" if "combine" in state["position"]["todo"] else "summarise"


def long_answer(state: SettleState) -> Literal["summarise", "__end__"]:
    """A combined answer may be too long to be compared."""
    return "summarise" if "summarise" in current(state)["todo"] else "__end__"


def build(toolbox: Toolbox) -> Watched[SettleState, Settings, SettleTask, Settled]:
    """The machine."""
    machine = Watched(SettleState, context_schema=Settings, input_schema=SettleTask, output_schema=Settled)
    machine.add_node("combine", combine(toolbox))
    machine.add_node("summarise", summarise(toolbox))

    machine.add_conditional_edges(START, first)
    machine.add_conditional_edges("combine", long_answer)
    machine.add_edge("summarise", END)
    return machine
