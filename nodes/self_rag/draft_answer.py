"""draft_answer: draft an answer from the relevant documents, to be checked before it is given."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.shorten import shortened
from backtrail.nodes.answer import ReadSlice, read_ranking
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.answer_grounds import allowed
from backtrail.nodes.take_decision import settings_of
from backtrail.state.answer import Answer
from backtrail.state.failure import Failure
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.self_rag.variant import SELF_RAG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

DRAFT_CHARACTERS = 400


class DraftAnswerSlice(ReadSlice):
    """The reader's inputs, the current attempt, and the last draft."""

    attempts: list[Attempt]
    draft: Answer | None


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
        settings = settings_of(runtime)
        may = allowed(settings, "both")
        notes = _criticism(attempt, state.get("draft")) if SELF_RAG.of(settings.variant).criticised else []
        read = await read_ranking(
            toolbox, settings, state, node="draft_answer", step=number, knowledge=may, notes=notes
        )
        return {
            "draft": read.answer,
            "attempts": [{**attempt, "drafts": attempt["drafts"] + 1, "grounded": None, "useful": None}],
            "usage": read.usage,
            "failures": read.failures,
        }

    return write_draft


def _criticism(attempt: Attempt, draft: Answer | None) -> list[str]:
    """Return the criticism of the last draft from the same documents; empty before the first."""
    if draft is None or not attempt["drafts"]:
        return []
    text = shortened(draft["text"], attempt["query"], DRAFT_CHARACTERS)
    return [f"An earlier draft is not supported by the evidence: {text} What is wrong with it: {attempt['why']}"]
