"""OmniSearch, the VQA planner's strongest baseline: a loop that thinks, asks and searches.

As described in Efficient Multimodal Planning Agent for Visual Question-Answering, sections 2.1 and 5.1. In
each turn the planner asks one sub-question and chooses one of three searches: by the picture, for texts, for
pictures by words. It ends with its own decision to answer or, at the limit of turns, with a forced answer.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.graphs.route_searches import evidence
from backtrail.nodes.answer import answer
from backtrail.nodes.answer_alone import answer_alone
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.omnisearch.answer_evidence import default_knowledge
from backtrail.nodes.omnisearch.think_search import think_search
from backtrail.nodes.rank_all_evidence import rank_all_evidence
from backtrail.nodes.search_images import search_images
from backtrail.nodes.search_text import search_text
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.omnisearch.memory import OmniSearchAnswered, OmniSearchState
from backtrail.state.search import search_node
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def next_search(state: OmniSearchState) -> Send | Literal["think_search", "rank_all_evidence"]:
    """Send the turn's search; a refused one returns to the planner, a stop reason leads to the answer."""
    if state.get("stop_reason"):
        return "rank_all_evidence"
    task = state.get("task")
    return Send(search_node(task["kind"]), task) if task else "think_search"


def build(toolbox: Toolbox) -> QuestionGraph[OmniSearchState, Settings, MethodInput, OmniSearchAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(
        OmniSearchState, context_schema=Settings, input_schema=MethodInput, output_schema=OmniSearchAnswered
    )
    builder.begin_with(contextualize(toolbox, empty_memory(OmniSearchState)), then="check_picture")
    builder.add_node("check_picture", check_picture(toolbox))
    builder.add_node("think_search", think_search(toolbox))
    builder.add_node("search_images", search_images(toolbox))
    builder.add_node("search_text", search_text(toolbox))
    builder.add_node("rank_all_evidence", rank_all_evidence())
    builder.add_node("answer", answer(toolbox, knowledge=default_knowledge))
    builder.add_node("answer_alone", answer_alone(toolbox, knowledge=default_knowledge))

    builder.add_edge("check_picture", "think_search")
    builder.add_conditional_edges(
        "think_search", next_search, ["search_text", "search_images", "think_search", "rank_all_evidence"]
    )
    builder.add_edge("search_text", "think_search")
    builder.add_edge("search_images", "think_search")
    builder.add_conditional_edges("rank_all_evidence", evidence)
    builder.add_edge("answer", END)
    builder.add_edge("answer_alone", END)
    return builder


graph: CompiledStateGraph[OmniSearchState, Settings, MethodInput, OmniSearchAnswered] = build(Toolbox()).compile(
    name="omnisearch"
)
