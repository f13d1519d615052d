"""LILaC: decompose once, then a beam search over edges of the component graph. A baseline of the FiF paper.

Yun et al., LILaC: Late Interacting in Layered Component Graph for Open-domain Multimodal Multihop Retrieval
(2025). The search starts at the components whose pieces are nearest to the question. An edge between two
components scores the sum over the subqueries of the best match on either end, so that two halves of an
answer are found together. There is one decision, the decomposition, and no way back from a wrong turn.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.machine import Machine
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.decompose import always, decompose
from backtrail.nodes.lilac.expand import expand
from backtrail.nodes.lilac.seed import seed
from backtrail.state.conversation import Asked
from backtrail.state.lilac.memory import LilacAnswered, LilacState
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def searched(state: LilacState) -> Literal["expand", "answer"]:
    """Expand until a reason to stop is known."""
    return "answer" if state.get("stop_reason") else "expand"


def build(toolbox: Toolbox) -> Machine[LilacState, Settings, Asked, LilacAnswered]:
    """The machine."""
    machine = Machine(LilacState, context_schema=Settings, input_schema=Asked, output_schema=LilacAnswered)
    machine.begin_with(contextualize(toolbox, empty_memory(LilacState)), then="decompose")
    machine.add_node("decompose", decompose(toolbox, planned=always))
    machine.add_node("seed", seed(toolbox))
    machine.add_node("expand", expand(toolbox))
    machine.add_node("answer", answer(toolbox))

    machine.add_edge("decompose", "seed")
    machine.add_edge("seed", "expand")
    machine.add_conditional_edges("expand", searched)
    machine.add_edge("answer", END)
    return machine


graph: CompiledStateGraph[LilacState, Settings, Asked, LilacAnswered] = build(Toolbox()).compile(name="lilac")
