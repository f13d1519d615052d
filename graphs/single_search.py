"""One search with the whole question, then an answer: the machine that single-shot baselines over a corpus share."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END

from backtrail.graphs.machine import Machine
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.state.conversation import Answered, Asked
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox

SingleSearch = Machine[SingleShotState, Settings, Asked, Answered]


def single_search(toolbox: Toolbox, search: Any) -> SingleSearch:
    """The machine, with the node that searches."""
    machine = Machine(SingleShotState, context_schema=Settings, input_schema=Asked, output_schema=Answered)
    machine.begin_with(contextualize(toolbox, empty_memory(SingleShotState)), then="retrieve")
    machine.add_node("retrieve", search)
    machine.add_node("answer", answer(toolbox))

    machine.add_edge("retrieve", "answer")
    machine.add_edge("answer", END)
    return machine
