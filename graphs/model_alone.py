"""Model alone: the question and its picture go to the generator, nothing is searched.

The baseline "Origin MLLMs" of the CogPlanner paper (section 6.1.1). The offline rules have no own
knowledge: with them this abstains, unless the question's own text contains the answer.
"""

from __future__ import annotations

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.answer_alone import answer_alone
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.state.single_web_search import SingleWebSearchAnswered, SingleWebSearchState
from backtrail.tools.toolbox import Toolbox


def build(toolbox: Toolbox) -> QuestionGraph[SingleWebSearchState, Settings, MethodInput, SingleWebSearchAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(
        SingleWebSearchState, context_schema=Settings, input_schema=MethodInput, output_schema=SingleWebSearchAnswered
    )
    fresh = empty_memory(SingleWebSearchState, stop_reason="single-shot")
    builder.begin_with(contextualize(toolbox, fresh), then="check_picture")
    builder.add_node("check_picture", check_picture(toolbox))
    builder.add_node("answer_alone", answer_alone(toolbox, knowledge=None))

    builder.add_edge("check_picture", "answer_alone")
    builder.add_edge("answer_alone", END)
    return builder


graph: CompiledStateGraph[SingleWebSearchState, Settings, MethodInput, SingleWebSearchAnswered] = build(
    Toolbox()
).compile(name="model_alone")
