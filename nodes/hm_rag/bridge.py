"""bridge: answer one part that others depend on, from the results of all sources (ours).

It is an intermediate step: afterwards each source answers the whole question, and then they vote.
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.short_answers import short_form
from backtrail.nodes.hm_rag.agents.read import most_read, read_source
from backtrail.nodes.hm_rag.combine import union
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.memory import BridgeTask
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class BridgeWrites(TypedDict, total=False):
    """The part with its answer, or given up."""

    subqueries: list[Subquery]
    usage: dict[str, Charge]
    failures: list[Failure]


def bridge(toolbox: Toolbox) -> AsyncNode[BridgeTask, BridgeWrites]:
    """Node: one reading. Without a supported answer the dependent parts continue without it."""

    async def answer_part(state: BridgeTask, runtime: Runtime[Settings]) -> BridgeWrites:
        settings, part = settings_of(runtime), state["part"]
        found = union(state["replies"])
        if not found["components"] and not found["triplets"]:
            return {"subqueries": [{**part, "status": "given_up"}]}
        done = await read_source(
            toolbox, settings, state["replies"][0]["question"], [], [], found, state["image"],
            most=most_read(settings), node="bridge", step=state["number"],
            spent=state["spent"],
        )  # fmt: skip
        closed: Subquery = {**part, "status": "given_up"}
        if done.output is not None and done.output.supported:
            cited = done.citations[0]["component"] if done.citations else None
            short = short_form(done.output.short, done.output.text)[:400]
            closed = {**part, "status": "answered", "answer": short, "answered_by": cited}
        return {"subqueries": [closed], "usage": done.usage, "failures": done.failures}

    return answer_part
