"""decompose: split a question into its first subqueries."""

from __future__ import annotations

from collections.abc import Callable

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.reading.unreadable_question_picture import unreadable_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.decompose_decisions import DECOMPOSE, DecomposeInputs, PlannedSubquery
from backtrail.state.failure import Failure
from backtrail.state.fif.variant import FIF
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class DecomposeSlice(TypedDict):
    """The question."""

    question: str
    image: str | None
    usage: dict[str, Charge]


class DecomposeWrites(TypedDict, total=False):
    """The first plan."""

    subqueries: list[Subquery]
    usage: dict[str, Charge]
    failures: list[Failure]


def unless_rules_open(settings: Settings) -> bool:
    """Return whether FiF decomposes first. Ours, with a model, does so after a first search if it must."""
    return not (FIF.of(settings.variant).fused and settings.planner != OFFLINE)


def always(settings: Settings) -> bool:
    """Return True: for methods that decompose first in every variant."""
    return True


def decompose(
    toolbox: Toolbox, planned: Callable[[Settings], bool] = unless_rules_open
) -> AsyncNode[DecomposeSlice, DecomposeWrites]:
    """Node: subqueries of the question. If none are planned, the question is the only one."""

    async def decompose_question(state: DecomposeSlice, runtime: Runtime[Settings]) -> DecomposeWrites:
        settings = settings_of(runtime)
        image = state.get("image")
        seen = sees_pictures(settings, "planner") or sees_pictures(settings, "reader")
        unseen = [unreadable_question_picture("decompose")] if image and not seen else []
        whole = [PlannedSubquery(text=state["question"][:400])]
        if not planned(settings):
            return {"subqueries": numbered(whole, first=0, step=0), "failures": unseen}
        taken = await take(
            toolbox,
            settings,
            DECOMPOSE,
            DecomposeInputs(question=state["question"], has_picture=bool(image) and sees_pictures(settings, "planner")),
            node="decompose",
            step=0,
            spent=state["usage"],
            pictures=await attach_question_picture(toolbox, image, settings, "planner"),
        )
        subqueries = taken.output.subqueries if taken.output else whole
        return {
            "subqueries": numbered(subqueries, first=0, step=0),
            "usage": taken.usage,
            "failures": unseen + taken.failures,
        }

    return decompose_question


def numbered(planned: list[PlannedSubquery], *, first: int, step: int) -> list[Subquery]:
    """Return planned subqueries as open entries q<first>, q<first + 1>, …, with dependencies as ids."""
    return [
        {
            "id": f"q{first + index}",
            "text": subquery.text,
            "depends_on": [f"q{first + dependency}" for dependency in subquery.depends_on],
            "status": "open",
            "answer": "",
            "answered_by": None,
            "planned_at": step,
        }
        for index, subquery in enumerate(planned)
    ]
