"""CogPlanner: rounds of planning what to ask and whether to search texts, pictures or nothing.

Paper: CogPlanner: Unveiling the Potential of Agentic Multimodal Retrieval Augmented Generation with Planning.
In each round a planning expert reformulates the queries (F_QR) and chooses a search (F_IA): in sequence, in parallel,
or in one decision (ours). After "no search" or the limit of rounds a generator reads all retrieved elements.
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
from backtrail.nodes.cogplanner.begin_round import begin_round
from backtrail.nodes.cogplanner.dispatch import dispatch
from backtrail.nodes.cogplanner.keep import keep
from backtrail.nodes.cogplanner.plan_round import plan_round
from backtrail.nodes.cogplanner.reformulate import reformulate
from backtrail.nodes.cogplanner.route_search import route_search
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.rank_all_evidence import rank_all_evidence
from backtrail.nodes.search_images import search_images
from backtrail.nodes.search_text import search_text
from backtrail.state.cogplanner.memory import CogPlannerAnswered, CogPlannerState
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.search import search_node
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

AFTER_DISPATCH = {"text": "search_text", "image": "search_images", "no search": "rank_all_evidence", "refused": "keep"}
PLANNING = ["plan_round", "reformulate", "route_search", "rank_all_evidence"]


def planning(state: CogPlannerState) -> list[Literal["plan_round", "reformulate", "route_search", "rank_all_evidence"]]:
    """Route to one decision, to both branches (parallel) or the first of two (sequential), or to the end."""
    if state.get("stop_reason"):
        return ["rank_all_evidence"]
    if state.get("one_plan"):
        return ["plan_round"]
    return ["reformulate", "route_search"] if state.get("paradigm") == "parallel" else ["reformulate"]


def reformulated(state: CogPlannerState) -> Literal["route_search", "dispatch"]:
    """Route to the choice of the action, unless the other branch makes it (parallel)."""
    return "dispatch" if state.get("paradigm") == "parallel" else "route_search"


def searches(state: CogPlannerState) -> list[Send] | Literal["no search", "refused"]:
    """Send the tasks of the round in parallel. Refused: every search was made before."""
    if state.get("stop_reason"):
        return "no search"
    return [Send(search_node(task["kind"]), task) for task in state.get("tasks", [])] or "refused"


def build(toolbox: Toolbox) -> QuestionGraph[CogPlannerState, Settings, MethodInput, CogPlannerAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(
        CogPlannerState, context_schema=Settings, input_schema=MethodInput, output_schema=CogPlannerAnswered
    )
    builder.begin_with(contextualize(toolbox, empty_memory(CogPlannerState)), then="check_picture")
    builder.add_node("check_picture", check_picture(toolbox))
    builder.add_node("begin_round", begin_round())
    builder.add_node("plan_round", plan_round(toolbox))
    builder.add_node("reformulate", reformulate(toolbox))
    builder.add_node("route_search", route_search(toolbox))
    builder.add_node("dispatch", dispatch())
    builder.add_node("search_text", search_text(toolbox))
    builder.add_node("search_images", search_images(toolbox))
    builder.add_node("keep", keep())
    builder.add_node("rank_all_evidence", rank_all_evidence())
    builder.add_node("answer", answer(toolbox, knowledge="both"))
    builder.add_node("answer_alone", answer_alone(toolbox))

    builder.add_edge("check_picture", "begin_round")
    builder.add_conditional_edges("begin_round", planning, PLANNING)
    builder.add_edge("plan_round", "dispatch")
    builder.add_conditional_edges("reformulate", reformulated)
    builder.add_edge("route_search", "dispatch")
    builder.add_conditional_edges("dispatch", searches, AFTER_DISPATCH)
    builder.add_edge("search_text", "keep")
    builder.add_edge("search_images", "keep")
    builder.add_edge("keep", "begin_round")
    builder.add_conditional_edges("rank_all_evidence", evidence)
    builder.add_edge("answer", END)
    builder.add_edge("answer_alone", END)
    return builder


graph: CompiledStateGraph[CogPlannerState, Settings, MethodInput, CogPlannerAnswered]
graph = build(Toolbox()).compile(name="cogplanner")
