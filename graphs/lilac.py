"""LILaC: decompose, then a beam search over edges of the component graph. A baseline of FiF's paper.

Yun et al., LILaC: Late Interacting in Layered Component Graph for Open-domain Multimodal Multihop Retrieval
(2025). The search starts at the components whose pieces are nearest to the question. An edge between two
components scores the sum over the subqueries of the best match on either end, so that two halves of an
answer are found together. There is one decision, the decomposition, and no way back from a wrong turn.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.decompose import always, decompose
from backtrail.nodes.lilac.expand import expand
from backtrail.nodes.lilac.seed import seed
from backtrail.state.conversation import MethodInput
from backtrail.state.lilac.memory import LilacAnswered, LilacState
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def searched(state: LilacState) -> Literal["expand", "answer"]:
    """Route to the next expansion until there is a stop reason."""
    return "answer" if state.get("stop_reason") else "expand"


def build(toolbox: Toolbox) -> QuestionGraph[LilacState, Settings, MethodInput, LilacAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(LilacState, context_schema=Settings, input_schema=MethodInput, output_schema=LilacAnswered)
    builder.begin_with(contextualize(toolbox, empty_memory(LilacState)), then="decompose")
    builder.add_node("decompose", decompose(toolbox, planned=always))
    builder.add_node("seed", seed(toolbox))
    builder.add_node("expand", expand(toolbox))
    builder.add_node("answer", answer(toolbox))

    builder.add_edge("decompose", "seed")
    builder.add_edge("seed", "expand")
    builder.add_conditional_edges("expand", searched)
    builder.add_edge("answer", END)
    return builder


graph: CompiledStateGraph[LilacState, Settings, MethodInput, LilacAnswered] = build(Toolbox()).compile(name="lilac")
