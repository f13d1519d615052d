"""MMAPG: multimodal multi-hop questions by an adaptive planning graph, without training.

Paper: MMAPG, A Training-Free Framework for Multimodal Multi-hop Question Answering via Adaptive Planning
Graphs. A planner reads an overall plan and the whole graph of questions, retrievals and answers, and
grows the next node from any earlier ones. A branch that finds nothing is left and another one grown;
texts and pictures are retrieved by different strategies.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from backtrail.graphs.mmapg_retrieval import build as build_retrieval
from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.mmapg.admit import admit
from backtrail.nodes.mmapg.ask import ask
from backtrail.nodes.mmapg.conclude import conclude
from backtrail.nodes.mmapg.executor_inputs import growing
from backtrail.nodes.mmapg.overall_plan import overall_plan
from backtrail.nodes.mmapg.plan_next import plan_next
from backtrail.nodes.mmapg.reason import reason, reason_over_graph
from backtrail.nodes.mmapg.similar import similar
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.mmapg.memory import MmapgAnswered, MmapgState
from backtrail.state.mmapg.planning_graph import NodeKind, PlanningNode
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

EXECUTORS: dict[NodeKind, str] = {"question": "ask", "retrieval": "retrieve", "answer": "reason"}


def executor(node: PlanningNode) -> str:
    """Return the node that executes a planning node; ``similar`` replaces the retrieval module (ablation)."""
    return "similar" if node["within"] == "similarity" else EXECUTORS[node["kind"]]


def executors(state: MmapgState) -> list[Send] | Literal["plan_next", "reason_over_graph", "conclude"]:
    """Send the admitted nodes to their executors in parallel; return to the planner after a refusal."""
    admitted = state.get("admitted", [])
    if admitted:
        return [Send(executor(node), growing(state, node)) for node in admitted]
    last = state.get("planning_graph", [])[-1]
    if last["kind"] != "stop":
        return "plan_next"
    return "conclude" if holds_answer(state) else "reason_over_graph"


def holds_answer(state: MmapgState) -> bool:
    """Return whether there is an Answer node; after a bound it must be the last node (Algorithm 1)."""
    nodes = [node for node in state.get("planning_graph", []) if node["kind"] != "stop" and node["status"] != "refused"]
    if state.get("stop_reason") == "stop":
        return any(node["kind"] == "answer" for node in nodes)
    return nodes[-1]["kind"] == "answer"


def build(toolbox: Toolbox) -> QuestionGraph[MmapgState, Settings, MethodInput, MmapgAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(MmapgState, context_schema=Settings, input_schema=MethodInput, output_schema=MmapgAnswered)
    builder.begin_with(contextualize(toolbox, empty_memory(MmapgState)), then="overall_plan")
    builder.add_node("overall_plan", overall_plan(toolbox))
    builder.add_node("plan_next", plan_next(toolbox))
    builder.add_node("admit", admit())
    builder.add_node("ask", ask())
    builder.add_node("retrieve", build_retrieval(toolbox).compile(name="mmapg_retrieval"))
    builder.add_node("similar", similar(toolbox))
    builder.add_node("reason", reason(toolbox))
    builder.add_node("reason_over_graph", reason_over_graph(toolbox))
    builder.add_node("conclude", conclude(toolbox))

    builder.add_edge("overall_plan", "plan_next")
    builder.add_edge("plan_next", "admit")
    builder.add_conditional_edges(
        "admit", executors, ["ask", "retrieve", "similar", "reason", "plan_next", "reason_over_graph", "conclude"]
    )
    builder.add_edge("ask", "plan_next")
    builder.add_edge("retrieve", "plan_next")
    builder.add_edge("similar", "plan_next")
    builder.add_edge("reason", "plan_next")
    builder.add_edge("reason_over_graph", "conclude")
    builder.add_edge("conclude", END)
    return builder


graph: CompiledStateGraph[MmapgState, Settings, MethodInput, MmapgAnswered] = build(Toolbox()).compile(name="mmapg")
