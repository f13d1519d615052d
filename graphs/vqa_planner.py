"""The VQA planning agent: one choice of what a question about a picture needs searched.

Paper: Efficient Multimodal Planning Agent for Visual Question-Answering. A planner chooses once between
own knowledge (c1), a text search (c2), a search by the picture (c3), and both (c4); then exactly that path
runs. Text is searched with the gold query, the question completed with what the picture shows; where
both are searched, the search by the picture comes first and the gold query is written from what it found.
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
from backtrail.nodes.rank_all_evidence import rank_all_evidence
from backtrail.nodes.search_images import search_images
from backtrail.nodes.search_text import search_text
from backtrail.nodes.vqa_planner.choose_path import choose_path
from backtrail.nodes.vqa_planner.write_gold_query import write_gold_query
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.search import search_task
from backtrail.state.settings import Settings
from backtrail.state.vqa_planner.memory import VqaPlannerAnswered, VqaPlannerState
from backtrail.tools.toolbox import Toolbox

PATHS = ["search_images", "write_gold_query", "search_text", "rank_all_evidence", "answer_alone"]


def path(state: VqaPlannerState) -> Send | Literal["write_gold_query", "rank_all_evidence", "answer_alone"]:
    """Route c1 to an answer, c2 to its query, c3 and c4 to the search by picture."""
    chosen, question = state.get("path"), state.get("question", "")
    match chosen["option"] if chosen else "A":
        case "B" | "D":
            return Send("search_images", search_task("image-by-picture", question, question, state.get("image")))
        case "C":
            return gold_query(state) if state.get("queries") else "write_gold_query"
        case _:
            return "answer_alone"


def after_pictures(state: VqaPlannerState) -> Literal["write_gold_query", "rank_all_evidence"]:
    """Route c4 to a text search, c3 to the end."""
    chosen = state.get("path")
    return "write_gold_query" if chosen and chosen["option"] == "D" else "rank_all_evidence"


def gold_query(state: VqaPlannerState) -> Send | Literal["rank_all_evidence"]:
    """Send the gold query, unless a ceiling was reached."""
    queries = state.get("queries")
    if not queries or state.get("stop_reason", "").startswith("budget:"):
        return "rank_all_evidence"
    task = search_task("text", queries[0], state.get("question", ""), state.get("image"), index=1)
    return Send("search_text", task)


def build(toolbox: Toolbox) -> QuestionGraph[VqaPlannerState, Settings, MethodInput, VqaPlannerAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(
        VqaPlannerState, context_schema=Settings, input_schema=MethodInput, output_schema=VqaPlannerAnswered
    )
    builder.begin_with(contextualize(toolbox, empty_memory(VqaPlannerState)), then="check_picture")
    builder.add_node("check_picture", check_picture(toolbox))
    builder.add_node("choose_path", choose_path(toolbox))
    builder.add_node("search_images", search_images(toolbox))
    builder.add_node("write_gold_query", write_gold_query(toolbox))
    builder.add_node("search_text", search_text(toolbox))
    builder.add_node("rank_all_evidence", rank_all_evidence())
    builder.add_node("answer", answer(toolbox, knowledge="both"))
    builder.add_node("answer_alone", answer_alone(toolbox))

    builder.add_edge("check_picture", "choose_path")
    builder.add_conditional_edges("choose_path", path, PATHS)
    builder.add_conditional_edges("search_images", after_pictures)
    builder.add_conditional_edges("write_gold_query", gold_query, ["search_text", "rank_all_evidence"])
    builder.add_edge("search_text", "rank_all_evidence")
    builder.add_conditional_edges("rank_all_evidence", evidence)
    builder.add_edge("answer", END)
    builder.add_edge("answer_alone", END)
    return builder


graph: CompiledStateGraph[VqaPlannerState, Settings, MethodInput, VqaPlannerAnswered] = build(Toolbox()).compile(
    name="vqa_planner"
)
