"""The planning expert: both decisions get the same rounds, elements and pictures (CogPlanner 3.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel
from typing_extensions import TypedDict

from backtrail.nodes.cogplanner.retrieved_elements import Gathered, gathered
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.nodes.take_decision import Taken, take
from backtrail.state.cogplanner.memory import Round
from backtrail.state.decision import Decision
from backtrail.state.evidence import Evidence
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class PlanningSlice(TypedDict):
    """Q_0 with its picture, and every round with its results."""

    question: str
    image: str | None
    rounds: list[Round]
    searches: list[SearchRecord]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


async def ask_expert(
    toolbox: Toolbox,
    settings: Settings,
    state: PlanningSlice,
    decision: Decision[I, O],
    inputs: Callable[[Gathered], I],
    node: str,
) -> Taken[O]:
    """Take one decision of this round, with the question's picture and those that were found."""
    contents, number = toolbox.contents(settings), len(state["rounds"]) + 1
    seen = await asyncio.to_thread(
        gathered, contents, state["question"], state["rounds"], state["searches"], state["evidence"],
        settings.cogplanner,
    )  # fmt: skip
    return await take(
        toolbox, settings, decision, inputs(seen), node=node, step=number, spent=state["usage"],
        pictures=[
            *await attach_question_picture(toolbox, state.get("image"), settings, "planner"),
            *await attach_pictures(contents, seen.components, settings, "planner"),
        ],
    )  # fmt: skip
