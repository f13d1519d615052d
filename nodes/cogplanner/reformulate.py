"""reformulate: the queries of this round, refined and split (CogPlanner 3.1.3, F_QR)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.cogplanner.gathered import gathered
from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.state.cogplanner.decisions import REFORMULATE
from backtrail.state.cogplanner.memory import Reformulation, Round, current_queries
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.planned_search import ReformulateInputs
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class ReformulateSlice(TypedDict):
    """Q_0 with its picture, and every round with what it retrieved."""

    question: str
    image: str | None
    rounds: list[Round]
    searches: list[SearchRecord]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class ReformulateWrites(TypedDict):
    """Q_t."""

    reformulation: Reformulation
    usage: dict[str, Charge]
    failures: list[Failure]


def reformulate(toolbox: Toolbox) -> AsyncNode[ReformulateSlice, ReformulateWrites]:
    """Node: the next queries. Without a valid reply the last queries stand, and the failure is recorded."""

    async def refine_queries(state: ReformulateSlice, runtime: Runtime[Settings]) -> ReformulateWrites:
        settings = settings_of(runtime)
        contents, number = toolbox.contents(settings), len(state["rounds"]) + 1
        held = current_queries(state["rounds"], state["question"])
        seen = await asyncio.to_thread(
            gathered, contents, state["question"], state["rounds"], state["searches"], state["evidence"],
            settings.cogplanner,
        )  # fmt: skip
        image = state.get("image")
        taken = await take(
            toolbox, settings, REFORMULATE,
            ReformulateInputs(
                question=state["question"], has_picture=bool(image), queries=held, rounds=seen.rounds,
                elements=seen.elements, most_queries=settings.cogplanner.queries,
            ),
            node="reformulate", step=number, spent=state["usage"],
            pictures=[
                *await attach_question_picture(toolbox, image, settings, "planner"),
                *await attach_pictures(contents, seen.components, settings, "planner"),
            ],
        )  # fmt: skip
        new = taken.output
        reformulation: Reformulation = {
            "round": number,
            "queries": [" ".join(query.split()) for query in new.queries] if new else held,
            "valid": new is not None,
            "why": new.why if new else "No valid reformulation was given; the queries stay as they were.",
        }
        return {"reformulation": reformulation, "usage": taken.usage, "failures": taken.failures}

    return refine_queries
