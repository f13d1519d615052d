"""complete_question: put what the picture shows into the question, before it is searched (ours).

Agents search by words, and "When was this bridge opened?" does not find the bridge. A question of several intents has
parts for what the picture shows.
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.decisions import COMPLETE, CompleteInputs
from backtrail.state.hm_rag.memory import Keywords
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class CompleteSlice(TypedDict):
    """The question without its options, and its picture."""

    full_question: str
    image: str | None
    usage: dict[str, Charge]


class CompleteWrites(TypedDict, total=False):
    """The completed question, without keywords, which have to be chosen again."""

    full_question: str
    named: dict[str, Keywords]
    completing: bool
    usage: dict[str, Charge]
    failures: list[Failure]


def complete_question(toolbox: Toolbox) -> AsyncNode[CompleteSlice, CompleteWrites]:
    """Node: the completed question; without a valid reply it is unchanged."""

    async def complete(state: CompleteSlice, runtime: Runtime[Settings]) -> CompleteWrites:
        settings = settings_of(runtime)
        pictures = await attach_question_picture(toolbox, state.get("image"), settings, "planner")
        taken = await take(
            toolbox, settings, COMPLETE, CompleteInputs(question=state["full_question"]),
            node="complete_question", step=0, spent=state["usage"], pictures=pictures,
        )  # fmt: skip
        writes: CompleteWrites = {"completing": False, "usage": taken.usage, "failures": taken.failures}
        if taken.output:
            writes["full_question"] = " ".join(taken.output.question.split())
            writes["named"] = {}
        return writes

    return complete
