"""dispatch: join both decisions of a round into its searches (CogPlanner 4.2.2).

A search that the run has already made is refused and recorded: its results and costs would be the same. That code
refuses it is ours.
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.state.cogplanner.memory import Reformulation, Round, Routing, current_queries
from backtrail.state.search import SearchKind, SearchRecord, SearchTask, refused_search, search_key, search_task
from backtrail.state.settings import Settings


class DispatchSlice(TypedDict):
    """Both decisions, and the searches so far."""

    question: str
    image: str | None
    reformulation: Reformulation | None
    routing: Routing | None
    rounds: list[Round]
    searches: list[SearchRecord]


class DispatchWrites(TypedDict, total=False):
    """The round as decided, the searches to make, those refused, and why planning ends if it does."""

    rounds: list[Round]
    queries: list[str]
    tasks: list[SearchTask]
    searches: list[SearchRecord]
    stop_reason: str


def dispatch() -> SyncNode[DispatchSlice, DispatchWrites]:
    """Node: the searches of this round. The queries are kept even without a search: they are Q_T."""

    def send_out(state: DispatchSlice, runtime: Runtime[Settings]) -> DispatchWrites:
        number = len(state["rounds"]) + 1
        reformulation, routing = state["reformulation"], state["routing"]
        queries = reformulation["queries"] if reformulation else current_queries(state["rounds"], state["question"])
        if routing is None:
            raise AssertionError("dispatch ran before route_search")
        tasks, refused = _admitted(_wanted(state, routing, queries, number), state["searches"])
        record: Round = {
            "index": number,
            "queries": queries,
            "action": routing["action"],
            "found": [],
            "why": " ".join(why for why in (reformulation["why"] if reformulation else "", routing["why"]) if why),
        }
        writes: DispatchWrites = {"rounds": [record], "queries": queries, "tasks": tasks, "searches": refused}
        if routing["action"] == "no search":
            writes["stop_reason"] = "no search" if routing["valid"] else "failed:route_search"
        return writes

    return send_out


def _wanted(state: DispatchSlice, routing: Routing, queries: list[str], number: int) -> list[SearchTask]:
    match routing["action"]:
        case "no search":
            return []
        case "text search":
            kind: SearchKind = "text"
        case "image search":
            kind = "image-by-text"
            # The question's picture is searched with once: it cannot be reformulated.
            if state.get("image") and not any(one["kind"] == "image-by-picture" for one in state["searches"]):
                kind, queries = "image-by-picture", queries[:1]
    question, picture = state["question"], state.get("image")
    return [
        search_task(kind, query, question, picture, number=number, index=index) for index, query in enumerate(queries)
    ]


def _admitted(wanted: list[SearchTask], earlier: list[SearchRecord]) -> tuple[list[SearchTask], list[SearchRecord]]:
    """Split searches into new ones and records of repeated ones."""
    done = {
        search_key(one["kind"], one["query"], None): f"round {one['round']}, and ended as {one['outcome']}"
        for one in earlier
        if one["outcome"] != "refused" and one["kind"] != "image-by-picture"
    }
    tasks: list[SearchTask] = []
    refused: list[SearchRecord] = []
    for task in wanted:
        key = search_key(task["kind"], task["query"], task["picture"])
        if key in done:
            refused.append(refused_search(task, f"The same search was done in {done[key]}."))
        else:
            tasks.append(task)
            done[key] = "this round"
    return tasks, refused
