"""Model alone: the question and its picture go to the generator, nothing is searched.

The baseline "Origin MLLMs" of the CogPlanner paper (section 6.1.1). The offline rules know nothing by
themselves: with them this abstains, except where the question's own text holds the answer.
"""

from __future__ import annotations

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.machine import Machine
from backtrail.nodes.answer_alone import answer_alone
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.state.conversation import Asked
from backtrail.state.memory import empty_memory
from backtrail.state.searching import SearchingAnswered, SearchingState
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> Machine[SearchingState, Settings, Asked, SearchingAnswered]:
    """The machine."""
    machine = Machine(SearchingState, context_schema=Settings, input_schema=Asked, output_schema=SearchingAnswered)
    fresh = empty_memory(SearchingState, stop_reason="single-shot")
    machine.begin_with(contextualize(toolbox, fresh), then="check_picture")
    machine.add_node("check_picture", check_picture(toolbox))
    machine.add_node("answer_alone", answer_alone(toolbox, knowledge=None))

    machine.add_edge("check_picture", "answer_alone")
    machine.add_edge("answer_alone", END)
    return machine


graph: CompiledStateGraph[SearchingState, Settings, Asked, SearchingAnswered] = build(Toolbox()).compile(
    name="model_alone"
)
