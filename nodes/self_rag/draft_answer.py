"""draft_answer: an answer from the relevant documents, to be checked before it is given (self-reflective RAG)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.answer import AnswerSlice, read_ranking
from backtrail.nodes.deciding import settings_of
from backtrail.nodes.node import AsyncNode
from backtrail.state.answer import Answer
from backtrail.state.failure import Failure
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class DraftAnswerSlice(AnswerSlice):
    """What the reader reads, and the attempt it belongs to."""

    attempts: list[Attempt]


class DraftAnswerWrites(TypedDict):
    """The draft, counted in its attempt."""

    draft: Answer
    attempts: list[Attempt]
    usage: dict[str, Charge]
    failures: list[Failure]


def draft_answer(toolbox: Toolbox) -> AsyncNode[DraftAnswerSlice, DraftAnswerWrites]:
    """Node: read the ranking as any method does, without ending the turn."""

    async def write_draft(state: DraftAnswerSlice, runtime: Runtime[Settings]) -> DraftAnswerWrites:
        attempt = state["attempts"][-1]
        number = sum(one["drafts"] for one in state["attempts"]) + 1
        read = await read_ranking(toolbox, settings_of(runtime), state, node="draft_answer", step=number)
        return {
            "draft": read.answer,
            "attempts": [{**attempt, "drafts": attempt["drafts"] + 1, "grounded": None, "useful": None}],
            "usage": read.usage,
            "failures": read.failures,
        }

    return write_draft
