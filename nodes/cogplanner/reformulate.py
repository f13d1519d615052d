"""reformulate: the queries of this round, refined and split (CogPlanner 3.1.3, F_QR)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.cogplanner.planning_expert import PlanningSlice, ask_expert
from backtrail.nodes.cogplanner.retrieved_elements import Gathered
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.cogplanner.decisions import REFORMULATE
from backtrail.state.cogplanner.memory import Reformulation, current_queries
from backtrail.state.failure import Failure
from backtrail.state.planned_search import ReformulateInputs
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class ReformulateWrites(TypedDict):
    """Q_t."""

    reformulation: Reformulation
    usage: dict[str, Charge]
    failures: list[Failure]


def reformulate(toolbox: Toolbox) -> AsyncNode[PlanningSlice, ReformulateWrites]:
    """Node: the next queries. Without a valid reply the last ones are kept, and the failure is recorded."""

    async def refine_queries(state: PlanningSlice, runtime: Runtime[Settings]) -> ReformulateWrites:
        settings = settings_of(runtime)
        last, number = current_queries(state["rounds"], state["question"]), len(state["rounds"]) + 1

        def inputs(seen: Gathered) -> ReformulateInputs:
            return ReformulateInputs(
                question=state["question"], has_picture=bool(state.get("image")), queries=last, rounds=seen.rounds,
                elements=seen.elements, most_queries=settings.cogplanner.queries,
            )  # fmt: skip

        taken = await ask_expert(toolbox, settings, state, REFORMULATE, inputs, "reformulate")
        new = taken.output
        reformulation: Reformulation = {
            "round": number,
            "queries": [" ".join(query.split()) for query in new.queries] if new else last,
            "valid": new is not None,
            "why": new.why if new else "No valid reformulation was given; the queries stay as they were.",
        }
        return {"reformulation": reformulation, "usage": taken.usage, "failures": taken.failures}

    return refine_queries
