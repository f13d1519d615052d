"""assign: one task for every sub-question and source, as many as the budget allows."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of
from backtrail.nodes.node import SyncNode
from backtrail.state.hm_rag.memory import WHOLE, AgentTask, Option
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge


class AssignSlice(TypedDict):
    """What is asked, and its parts."""

    asked: str
    options: list[Option]
    image: str | None
    subqueries: list[Subquery]
    usage: dict[str, Charge]


class AssignWrites(TypedDict, total=False):
    """The tasks. A search is a step: tasks beyond ``budget.steps`` are not given, and the run says so."""

    tasks: list[AgentTask]
    stop_reason: str


def assign() -> SyncNode[AssignSlice, AssignWrites]:
    """Node: who is asked what. Parts come whole before the next one, so that a cut leaves comparable answers.

    Options belong to the question as a whole: parts of it are asked without them.
    """

    def give_tasks(state: AssignSlice, runtime: Runtime[Settings]) -> AssignWrites:
        settings = settings_of(runtime)
        parts = [(one["id"], one["text"]) for one in state["subqueries"]]
        tasks: list[AgentTask] = [
            {
                "source": source,
                "subquery": key,
                "number": number,
                "text": text,
                "options": [] if parts else state["options"],
                "image": state.get("image"),
                "spent": state["usage"],
            }
            for number, (key, text) in enumerate(parts or [(WHOLE, state["asked"])])
            for source in settings.hm_rag.sources
        ]
        if len(tasks) <= settings.budget.steps:
            return {"tasks": tasks}
        return {"tasks": tasks[: settings.budget.steps], "stop_reason": "budget:steps"}

    return give_tasks
