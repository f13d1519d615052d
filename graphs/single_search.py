"""One search with the question, then an answer: the graph of single-shot baselines over a corpus."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.state.conversation import MethodInput, MethodOutput
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.state.single_shot import SingleShotState
from backtrail.tools.toolbox import Toolbox

SingleSearch = QuestionGraph[SingleShotState, Settings, MethodInput, MethodOutput]


def single_search(toolbox: Toolbox, search: Any) -> SingleSearch:
    """Build the graph around a search node."""
    builder = QuestionGraph(
        SingleShotState, context_schema=Settings, input_schema=MethodInput, output_schema=MethodOutput
    )
    builder.begin_with(contextualize(toolbox, empty_memory(SingleShotState)), then="retrieve")
    builder.add_node("retrieve", search)
    builder.add_node("answer", answer(toolbox))

    builder.add_edge("retrieve", "answer")
    builder.add_edge("answer", END)
    return builder
