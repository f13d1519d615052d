"""Dense, multimodal: one search that also sees pictures, then read. A single-shot baseline of the FiF paper.

Components are ranked by the vectors of their words, pictures also by the vectors of their pixels, and the
two rankings are fused by rank. On a corpus without a pixel encoder that is a recorded failure, and the
method does what ``dense`` does.
"""

from __future__ import annotations

from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.machine import Machine
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.retrieve_multimodal import retrieve_multimodal
from backtrail.state.conversation import Answered, Asked
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> Machine[SingleShotState, Settings, Asked, Answered]:
    """The machine."""
    machine = Machine(SingleShotState, context_schema=Settings, input_schema=Asked, output_schema=Answered)
    machine.add_node("contextualize", contextualize(toolbox, empty_memory(SingleShotState)))
    machine.add_node("retrieve", retrieve_multimodal(toolbox))
    machine.add_node("answer", answer(toolbox))

    machine.add_edge(START, "contextualize")
    machine.add_edge("contextualize", "retrieve")
    machine.add_edge("retrieve", "answer")
    machine.add_edge("answer", END)
    return machine


graph: CompiledStateGraph[SingleShotState, Settings, Asked, Answered] = build(Toolbox()).compile(
    name="dense_multimodal"
)
