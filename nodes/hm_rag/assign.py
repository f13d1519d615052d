"""assign: one task for every sub-question and source, within the budget.

Parts that depend on another one's answer get theirs in a later wave, with that answer in the query (ours).
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.hm_rag.dependency_order import filled, ready
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.hm_rag.memory import WHOLE, AgentReply, AgentTask, Keywords, Option
from backtrail.state.settings import Settings
from backtrail.state.spent_shares import shared
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge


class AssignSlice(TypedDict):
    """The question and its parts."""

    full_question: str
    options: list[Option]
    image: str | None
    subqueries: list[Subquery]
    replies: list[AgentReply]
    named: dict[str, Keywords]
    usage: dict[str, Charge]


class AssignWrites(TypedDict, total=False):
    """The tasks. A search is a step: tasks beyond ``budget.steps`` are dropped, with a stop reason."""

    tasks: list[AgentTask]
    stop_reason: str


def assign() -> SyncNode[AssignSlice, AssignWrites]:
    """Node: give out tasks, part by part, so that a cut leaves comparable answers.

    Options belong to the whole question: parts have none.
    """

    def give_tasks(state: AssignSlice, runtime: Runtime[Settings]) -> AssignWrites:
        settings = settings_of(runtime)
        thrift, named = saves_calls(settings), state.get("named", {})
        subqueries, replies = state["subqueries"], state.get("replies", [])
        parts = [(number, one["id"], one["text"]) for number, one in enumerate(subqueries)]
        if thrift:
            parts = [(number, one["id"], filled(one, subqueries)) for number, one in ready(subqueries, replies)]
        tasks: list[AgentTask] = [
            {
                "source": source,
                "subquery": key,
                "number": number,
                "text": text,
                "options": [] if parts else state["options"],
                "image": state.get("image"),
                "spent": state["usage"],
                "wave": max((one.get("wave", 1) for one in replies), default=0) + 1,
            }
            for number, key, text in (parts if subqueries else [(0, WHOLE, state["full_question"])])
            for source in settings.hm_rag.sources
        ]
        for task in tasks:
            if task["subquery"] in named:
                task["named"] = named[task["subquery"]]
            if thrift and subqueries:
                task["search_only"] = True
        left = settings.budget.steps - len(replies)
        kept = tasks[:left]
        for place, task in enumerate(kept):
            task["spent"] = shared(state["usage"], place, len(kept))
        return {"tasks": kept} if len(kept) == len(tasks) else {"tasks": kept, "stop_reason": "budget:steps"}

    return give_tasks
