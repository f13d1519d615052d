"""Dense: one search by the embedder, then read. The single-shot baseline of the FiF paper.

The whole question is embedded once, and the components whose vectors are nearest are read. What
has to be reached through something else is not found.
"""

from __future__ import annotations

from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.machine import Machine
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.retrieve import retrieve
from backtrail.state.conversation import Answered, Asked
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> Machine[SingleShotState, Settings, Asked, Answered]:
    """The machine."""
    machine = Machine(SingleShotState, context_schema=Settings, input_schema=Asked, output_schema=Answered)
    machine.add_node("contextualize", contextualize(toolbox, empty_memory(SingleShotState)))
    machine.add_node("retrieve", retrieve(toolbox, ranker="dense"))
    machine.add_node("answer", answer(toolbox))

    machine.add_edge(START, "contextualize")
    machine.add_edge("contextualize", "retrieve")
    machine.add_edge("retrieve", "answer")
    machine.add_edge("answer", END)
    return machine


graph: CompiledStateGraph[SingleShotState, Settings, Asked, Answered] = build(Toolbox()).compile(name="dense")
