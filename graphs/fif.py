"""FiF: failure is feedback. History-aware backtracking over a layered component graph.

An orchestrator reads the whole memory and chooses one action at a time: a hop with a strategy, new subqueries, or stop.
A failed route is never taken again. Ours: rules open the search, then one decision (advance) judges and proposes.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.fif_summary import build as build_summary
from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.answer import answer
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.decompose import decompose
from backtrail.nodes.fif.advance import advance
from backtrail.nodes.fif.backtrack import backtrack
from backtrail.nodes.fif.compute import compute
from backtrail.nodes.fif.evaluate import evaluate
from backtrail.nodes.fif.gather import gather
from backtrail.nodes.fif.orchestrate import orchestrate
from backtrail.nodes.fif.plan import plan
from backtrail.nodes.fif.rerank import rerank
from backtrail.nodes.fif.select import select_components, select_documents
from backtrail.nodes.fif.stop import stop
from backtrail.nodes.fif.traverse import traverse_components, traverse_documents
from backtrail.state.conversation import MethodInput
from backtrail.state.fif.memory import FifAnswered, FifState, selects
from backtrail.state.hop import query_failed_once
from backtrail.state.memory import empty_memory
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def next_action(state: FifState) -> Literal["backtrack", "compute", "gather", "summarise", "plan", "stop", "advance"]:
    """Route to the chosen action. The opening by rules ends in the fused decision."""
    proposal = state.get("proposal")
    action = proposal["action"] if proposal else "stop"
    return "backtrack" if action == "search" else "plan" if action == "replan" else action


def onward(state: FifState) -> Literal["backtrack", "compute", "gather", "summarise", "stop"]:
    """Route to the next hop, computation, gathering or summary, or stop with the answer."""
    return action if (action := next_action(state)) in ("backtrack", "compute", "gather", "summarise") else "stop"


def computed(state: FifState) -> Literal["compute", "advance"]:
    """Write a failed query once more; other failures are for the next decision."""
    return "compute" if query_failed_once(state.get("hops", [])) else "advance"


def admitted(state: FifState) -> Literal["traverse_documents", "orchestrate", "advance"]:
    """Route an admitted hop to its traversal, a refused one back to the node that proposed it."""
    return "traverse_documents" if state.get("hop") else "advance" if state.get("fused") else "orchestrate"


def document_reasoning(state: FifState) -> Literal["select_documents", "traverse_components"]:
    """Route to reasoning over documents if the strategy asks for both stages."""
    return "select_documents" if selects(state) == "both" else "traverse_components"


def component_reasoning(state: FifState) -> Literal["select_components", "evaluate", "advance"]:
    """Route to reasoning over components unless the strategy has none; a fused decision selects itself."""
    return "advance" if state.get("fused") else "select_components" if selects(state) != "none" else "evaluate"


def build(toolbox: Toolbox) -> QuestionGraph[FifState, Settings, MethodInput, FifAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(FifState, context_schema=Settings, input_schema=MethodInput, output_schema=FifAnswered)
    builder.begin_with(contextualize(toolbox, empty_memory(FifState)), then="decompose")
    builder.add_node("decompose", decompose(toolbox))
    builder.add_node("orchestrate", orchestrate(toolbox))
    builder.add_node("backtrack", backtrack())
    builder.add_node("traverse_documents", traverse_documents(toolbox))
    builder.add_node("select_documents", select_documents(toolbox))
    builder.add_node("traverse_components", traverse_components(toolbox))
    builder.add_node("select_components", select_components(toolbox))
    builder.add_node("evaluate", evaluate(toolbox))
    builder.add_node("advance", advance(toolbox))
    builder.add_node("compute", compute(toolbox))
    builder.add_node("gather", gather(toolbox))
    builder.add_node("summarise", build_summary(toolbox).compile(name="fif_summary"))
    builder.add_node("plan", plan(toolbox))
    builder.add_node("stop", stop())
    builder.add_node("rerank", rerank(toolbox))
    builder.add_node("answer", answer(toolbox))

    builder.add_edge("decompose", "orchestrate")
    builder.add_conditional_edges("orchestrate", next_action)
    builder.add_conditional_edges("advance", onward)
    builder.add_conditional_edges("compute", computed)
    builder.add_edge("gather", "advance")
    builder.add_conditional_edges("summarise", next_action, ["stop", "advance"])
    builder.add_conditional_edges("backtrack", admitted)
    builder.add_conditional_edges("traverse_documents", document_reasoning)
    builder.add_edge("select_documents", "traverse_components")
    builder.add_conditional_edges("traverse_components", component_reasoning)
    builder.add_edge("select_components", "evaluate")
    builder.add_edge("evaluate", "orchestrate")
    builder.add_edge("plan", "orchestrate")
    builder.add_edge("stop", "rerank")
    builder.add_edge("rerank", "answer")
    builder.add_edge("answer", END)
    return builder


graph: CompiledStateGraph[FifState, Settings, MethodInput, FifAnswered] = build(Toolbox()).compile(name="fif")
