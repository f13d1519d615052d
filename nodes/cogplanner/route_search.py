"""route_search: choose the search of this round, or none (CogPlanner 3.1.2, F_IA)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.cogplanner.planning_expert import PlanningSlice, ask_expert
from backtrail.nodes.cogplanner.retrieved_elements import Gathered
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.cogplanner.decisions import ROUTE
from backtrail.state.cogplanner.memory import Reformulation, Routing, current_queries
from backtrail.state.failure import Failure
from backtrail.state.planned_search import RouteInputs
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class RouteSearchSlice(PlanningSlice):
    """The planning expert's inputs, and in the sequential paradigm Q_t."""

    reformulation: Reformulation | None


class RouteSearchWrites(TypedDict):
    """A_t."""

    routing: Routing
    usage: dict[str, Charge]
    failures: list[Failure]


def route_search(toolbox: Toolbox) -> AsyncNode[RouteSearchSlice, RouteSearchWrites]:
    """Node: the action of this round. Without a valid reply no search is made."""

    async def choose_search(state: RouteSearchSlice, runtime: Runtime[Settings]) -> RouteSearchWrites:
        settings = settings_of(runtime)
        number = len(state["rounds"]) + 1

        def inputs(seen: Gathered) -> RouteInputs:
            return RouteInputs(
                question=state["question"], has_picture=bool(state.get("image")), queries=_queries(state, number),
                rounds=seen.rounds, elements=seen.elements,
                rounds_left=settings.cogplanner.rounds - len(state["rounds"]),
            )  # fmt: skip

        taken = await ask_expert(toolbox, settings, state, ROUTE, inputs, "route_search")
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
    """Return Q_t if this round's reformulation came first, else Q_{t-1}."""
    reformulation = state.get("reformulation")
    if reformulation and reformulation["round"] == number:
        return reformulation["queries"]
    return current_queries(state["rounds"], state["question"])
