"""overall_plan: the key components of the question, once; and the node that the graph grows from (MMAPG 3.3)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.reading.unseen_picture import unseen_picture
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import KeyComponent
from backtrail.state.mmapg.planning_decisions import OVERALL_PLAN, OverallPlanInputs
from backtrail.state.mmapg.planning_graph import PlanningNode, root_node
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class OverallPlanSlice(TypedDict):
    """The question."""

    question: str
    image: str | None
    usage: dict[str, Charge]


class OverallPlanWrites(TypedDict):
    """The plan, and the graph with its first node."""

    overall_plan: list[KeyComponent]
    planning_graph: list[PlanningNode]
    usage: dict[str, Charge]
    failures: list[Failure]


def overall_plan(toolbox: Toolbox) -> AsyncNode[OverallPlanSlice, OverallPlanWrites]:
    """Node: what has to be known. Without a valid plan the question is its only component."""

    async def plan_question(state: OverallPlanSlice, runtime: Runtime[Settings]) -> OverallPlanWrites:
        settings = settings_of(runtime)
        image = state.get("image")
        shown = bool(image) and sees_pictures(settings, "planner")
        taken = await take(
            toolbox, settings, OVERALL_PLAN,
            OverallPlanInputs(question=state["question"], has_picture=shown),
            node="overall_plan", step=0, spent=state["usage"],
            pictures=await attach_question_picture(toolbox, image, settings, "planner"),
        )  # fmt: skip
        components: list[KeyComponent] = [{"text": state["question"], "needs": []}]
        if taken.output:
            components = [{"text": part.text, "needs": part.needs} for part in taken.output.components]
        unseen = image and not shown and not sees_pictures(settings, "reader")
        return {
            "overall_plan": components,
            "planning_graph": [root_node(state["question"])],
            "usage": taken.usage,
            "failures": ([unseen_picture("overall_plan")] if unseen else []) + taken.failures,
        }

    return plan_question
