"""IRCoT: retrieval interleaved with chain-of-thought reasoning. A baseline of the FiF paper.

Trivedi et al., Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step
Questions (ACL 2023). The question retrieves; then each sentence of the chain of thought is the next query,
until one states the answer. All retrieved components are read at the end. The index is flat: no links are
followed, and no retrieval is judged a failure.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.ircot.look_up import look_up
from backtrail.nodes.ircot.think import think
from backtrail.state.conversation import MethodInput
from backtrail.state.ircot.memory import IrcotAnswered, IrcotState
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def thought_through(state: IrcotState) -> Literal["look_up", "answer"]:
    """Route to a retrieval with the last thought until the chain has ended."""
    return "answer" if state.get("stop_reason") else "look_up"


def build(toolbox: Toolbox) -> QuestionGraph[IrcotState, Settings, MethodInput, IrcotAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(IrcotState, context_schema=Settings, input_schema=MethodInput, output_schema=IrcotAnswered)
    builder.begin_with(contextualize(toolbox, empty_memory(IrcotState)), then="look_up")
    builder.add_node("look_up", look_up(toolbox))
    builder.add_node("think", think(toolbox))
    builder.add_node("answer", answer(toolbox))

    builder.add_edge("look_up", "think")
    builder.add_conditional_edges("think", thought_through)
    builder.add_edge("answer", END)
    return builder


graph: CompiledStateGraph[IrcotState, Settings, MethodInput, IrcotAnswered] = build(Toolbox()).compile(name="ircot")
