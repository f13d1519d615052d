"""rewrite_query: reformulate the query after a failed search or draft (self-reflective RAG)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.budget import exceeded
from backtrail.state.failure import Failure
from backtrail.state.hop import intent
from backtrail.state.self_rag.decisions import REWRITE, RewriteInputs
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class RewriteQuerySlice(TypedDict):
    """The attempts so far."""

    question: str
    image: str | None
    attempts: list[Attempt]
    usage: dict[str, Charge]


class RewriteQueryWrites(TypedDict, total=False):
    """The next query, or why there is none."""

    query: str
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def rewrite_query(toolbox: Toolbox) -> AsyncNode[RewriteQuerySlice, RewriteQueryWrites]:
    """Node: the next query. The limit of searches, a reached ceiling or a repeated query ends the search."""

    async def ask_anew(state: RewriteQuerySlice, runtime: Runtime[Settings]) -> RewriteQueryWrites:
        settings, attempts = settings_of(runtime), state["attempts"]
        over = exceeded(state["usage"], len(attempts), settings.budget)
        if over or len(attempts) >= settings.self_rag.searches:
            return {"stop_reason": over or "limit:searches"}
        image = state.get("image")
        taken = await take(
            toolbox, settings, REWRITE,
            RewriteInputs(
                question=state["question"], has_picture=bool(image), queries=[one["query"] for one in attempts],
                problem=attempts[-1]["why"],
            ),
            node="rewrite_query", step=len(attempts), spent=state["usage"],
            pictures=await attach_question_picture(toolbox, image, settings, "planner"),
        )  # fmt: skip
        writes: RewriteQueryWrites = {"usage": taken.usage, "failures": taken.failures}
        if taken.output is None:
            return {**writes, "stop_reason": "failed:rewrite_query"}
        query = " ".join(taken.output.query.split())
        if not query or intent(query) in {intent(one["query"]) for one in attempts}:
            return {**writes, "stop_reason": "no new query"}
        return {**writes, "query": query}

    return ask_anew
