"""plan_round: the search of this round with its queries, or the answer, in one call (ours).

Queries are written once a search is chosen. If nothing was searched and nothing needs to be, planner and generator
would get the same inputs: if they are one model, the plan contains the answer.
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.cogplanner.planning_expert import PlanningSlice, ask_expert
from backtrail.nodes.cogplanner.retrieved_elements import Gathered
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.cogplanner.decisions import PLAN
from backtrail.state.cogplanner.memory import Reformulation, Routing, current_queries
from backtrail.state.failure import Failure
from backtrail.state.own_knowledge_decisions import OwnReply, own_reply
from backtrail.state.planned_search import QUERY_CHARACTERS, PlannedSearch, PlanSearchInputs
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class PlanRoundWrites(TypedDict):
    """A_t and Q_t; an answer, if it came with the plan and nothing is searched."""

    reformulation: Reformulation
    routing: Routing
    own: OwnReply | None
    usage: dict[str, Charge]
    failures: list[Failure]


def plan_round(toolbox: Toolbox) -> AsyncNode[PlanningSlice, PlanRoundWrites]:
    """Node: the action of this round. Without a valid reply no search is made."""

    async def plan_search(state: PlanningSlice, runtime: Runtime[Settings]) -> PlanRoundWrites:
        settings = settings_of(runtime)
        number = len(state["rounds"]) + 1
        may_answer = not state["evidence"]

        def inputs(seen: Gathered) -> PlanSearchInputs:
            return PlanSearchInputs(
                question=state["question"], has_picture=bool(state.get("image")),
                queries=current_queries(state["rounds"], state["question"]), rounds=seen.rounds,
                elements=seen.elements, most_queries=settings.cogplanner.queries,
                rounds_left=settings.cogplanner.rounds - len(state["rounds"]), may_answer=may_answer,
            )  # fmt: skip

        taken = await ask_expert(toolbox, settings, state, PLAN, inputs, "plan_round")
        planned = taken.output
        return {
            "reformulation": _reformulation(planned, state, number, settings.cogplanner.queries),
            "routing": {
                "round": number,
                "action": planned.action if planned else "no search",
                "valid": planned is not None,
                "why": planned.why if planned else "No valid plan was given; answering from what was found.",
            },
            "own": own_reply(planned) if planned and may_answer and planned.action == "no search" else None,
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return plan_search


def _reformulation(planned: PlannedSearch | None, state: PlanningSlice, number: int, most: int) -> Reformulation:
    """Return the written queries, cut to the limits; without any, the last ones."""
    written = [" ".join(query.split())[:QUERY_CHARACTERS] for query in (planned.queries if planned else [])]
    queries = [query for query in dict.fromkeys(written) if query][:most]
    last = current_queries(state["rounds"], state["question"])
    return {"round": number, "queries": queries or last, "valid": bool(queries), "why": ""}
