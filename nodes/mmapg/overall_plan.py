"""overall_plan: plan the key components of the question, and start the graph (MMAPG 3.3).

The same decision plans the first retrievals (ours).
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.reading.unreadable_question_picture import unreadable_question_picture
from backtrail.nodes.take_decision import Taken, settings_of, take
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import KeyComponent
from backtrail.state.mmapg.planning_decisions import (
    INSTRUCTION_CHARACTERS,
    NODES_AT_ONCE,
    OPEN,
    OVERALL_PLAN,
    Opening,
    OpeningInputs,
    OverallPlan,
    OverallPlanInputs,
)
from backtrail.state.mmapg.planning_graph import PlanningNode, root_node
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class OverallPlanSlice(TypedDict):
    """The question."""

    question: str
    image: str | None
    usage: dict[str, Charge]


class OverallPlanWrites(TypedDict):
    """The plan, and the graph with its first node. The opening is empty if the planner decides it later."""

    overall_plan: list[KeyComponent]
    opening: list[str]
    planning_graph: list[PlanningNode]
    usage: dict[str, Charge]
    failures: list[Failure]


def overall_plan(toolbox: Toolbox) -> AsyncNode[OverallPlanSlice, OverallPlanWrites]:
    """Node: the overall plan. Without a valid one the question is its only component and first retrieval."""

    async def plan_question(state: OverallPlanSlice, runtime: Runtime[Settings]) -> OverallPlanWrites:
        settings = settings_of(runtime)
        image = state.get("image")
        shown = bool(image) and sees_pictures(settings, "planner")
        taken = await _planned(toolbox, settings, state, shown)
        components: list[KeyComponent] = [{"text": state["question"], "needs": []}]
        if taken.output:
            components = [{"text": part.text, "needs": part.needs} for part in taken.output.components]
        unseen = image and not shown and not sees_pictures(settings, "reader")
        return {
            "overall_plan": components,
            "opening": _opening(taken.output, state["question"], settings),
            "planning_graph": [root_node(state["question"])],
            "usage": taken.usage,
            "failures": ([unreadable_question_picture("overall_plan")] if unseen else []) + taken.failures,
        }

    return plan_question


async def _planned(
    toolbox: Toolbox, settings: Settings, state: OverallPlanSlice, shown: bool
) -> Taken[OverallPlan] | Taken[Opening]:
    pictures = await attach_question_picture(toolbox, state.get("image"), settings, "planner")
    if not MMAPG.of(settings.variant).forced:
        inputs = OverallPlanInputs(question=state["question"], has_picture=shown)
        return await take(
            toolbox, settings, OVERALL_PLAN, inputs,
            node="overall_plan", step=0, spent=state["usage"], pictures=pictures,
        )  # fmt: skip
    inputs = OpeningInputs(
        question=state["question"], has_picture=shown, side_by_side=settings.mmapg.side_by_side
    )  # fmt: skip
    return await take(
        toolbox, settings, OPEN, inputs, node="overall_plan", step=0, spent=state["usage"], pictures=pictures
    )


def _opening(plan: OverallPlan | None, question: str, settings: Settings) -> list[str]:
    """Return the instructions of the first retrievals: one, or as many as may be grown at once."""
    if not MMAPG.of(settings.variant).forced:
        return []
    texts = [text.strip()[:INSTRUCTION_CHARACTERS] for text in plan.first] if isinstance(plan, Opening) else [question]
    most = NODES_AT_ONCE if settings.mmapg.side_by_side else 1
    return [text for text in dict.fromkeys(texts) if text][:most]
