"""Graph of baselines that always make one search of a fixed kind, then answer.

The CogPlanner paper compares with them (sections 4.1 and 6.1.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.graph import END
from langgraph.types import Send

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.graphs.route_searches import evidence
from backtrail.nodes.answer import answer
from backtrail.nodes.answer_alone import answer_alone
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.rank_all_evidence import rank_all_evidence
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.search import SearchKind, search_node, search_task
from backtrail.state.settings import Settings
from backtrail.state.single_web_search import SingleWebSearchAnswered, SingleWebSearchState
from backtrail.tools.toolbox import Toolbox

FixedSearch = QuestionGraph[SingleWebSearchState, Settings, MethodInput, SingleWebSearchAnswered]


def fixed_search(toolbox: Toolbox, name: str, search: Any, kind: Callable[[bool], SearchKind]) -> FixedSearch:
    """Build the graph around a search node; ``kind`` gives the kind of search with or without a picture."""

    def whole_question(state: SingleWebSearchState) -> list[Send]:
        """Send the whole question as the query."""
        chosen = kind(bool(state.get("image")))
        task = search_task(chosen, state.get("question", ""), state.get("question", ""), state.get("image"))
        return [Send(search_node(chosen), task)]

    builder = QuestionGraph(
        SingleWebSearchState, context_schema=Settings, input_schema=MethodInput, output_schema=SingleWebSearchAnswered
    )
    fresh = empty_memory(SingleWebSearchState, stop_reason="single-shot")
    builder.begin_with(contextualize(toolbox, fresh), then="check_picture")
    builder.add_node("check_picture", check_picture(toolbox))
    builder.add_node(name, search)
    builder.add_node("rank_all_evidence", rank_all_evidence())
    builder.add_node("answer", answer(toolbox, knowledge="both"))
    builder.add_node("answer_alone", answer_alone(toolbox))

    builder.add_conditional_edges("check_picture", whole_question, [name])
    builder.add_edge(name, "rank_all_evidence")
    builder.add_conditional_edges("rank_all_evidence", evidence)
    builder.add_edge("answer", END)
    builder.add_edge("answer_alone", END)
    return builder
