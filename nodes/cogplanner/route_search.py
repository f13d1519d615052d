"""route_search: which search this round needs, or none (CogPlanner 3.1.2, F_IA)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.cogplanner.gathered import gathered
from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.state.cogplanner.decisions import ROUTE
from backtrail.state.cogplanner.memory import Reformulation, Round, Routing, current_queries
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.planned_search import RouteInputs
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class RouteSearchSlice(TypedDict):
    """Q_0 with its picture, every round, and in the sequential paradigm Q_t."""

    question: str
    image: str | None
    reformulation: Reformulation | None
    rounds: list[Round]
    searches: list[SearchRecord]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class RouteSearchWrites(TypedDict):
    """A_t."""

    routing: Routing
    usage: dict[str, Charge]
    failures: list[Failure]


def route_search(toolbox: Toolbox) -> AsyncNode[RouteSearchSlice, RouteSearchWrites]:
    """Node: the action of this round. Without a valid reply no search: what was found has to do."""

    async def choose_search(state: RouteSearchSlice, runtime: Runtime[Settings]) -> RouteSearchWrites:
        settings = settings_of(runtime)
        contents, number = toolbox.contents(settings), len(state["rounds"]) + 1
        seen = await asyncio.to_thread(
            gathered, contents, state["question"], state["rounds"], state["searches"], state["evidence"],
            settings.cogplanner,
        )  # fmt: skip
        image = state.get("image")
        taken = await take(
            toolbox, settings, ROUTE,
            RouteInputs(
                question=state["question"], has_picture=bool(image), queries=_queries(state, number),
                rounds=seen.rounds, elements=seen.elements,
                rounds_left=settings.cogplanner.rounds - len(state["rounds"]),
            ),
            node="route_search", step=number, spent=state["usage"],
            pictures=[
                *await attach_question_picture(toolbox, image, settings, "planner"),
                *await attach_pictures(contents, seen.components, settings, "planner"),
            ],
        )  # fmt: skip
        chosen = taken.output
        routing: Routing = {
            "round": number,
            "action": chosen.action if chosen else "no search",
            "valid": chosen is not None,
            "why": chosen.why if chosen else "No valid action was given; answering from what was found.",
        }
        return {"routing": routing, "usage": taken.usage, "failures": taken.failures}

    return choose_search


def _queries(state: RouteSearchSlice, number: int) -> list[str]:
    """Q_t where this round's reformulation came first, else Q_{t-1}."""
    reformulation = state.get("reformulation")
    if reformulation and reformulation["round"] == number:
        return reformulation["queries"]
    return current_queries(state["rounds"], state["question"])
