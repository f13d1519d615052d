"""check_answer: judge whether documents support the draft, and whether it answers the question."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.self_rag.document_views import documents_read
from backtrail.nodes.self_rag.judgements import Judging, checked_apart, checked_together
from backtrail.nodes.take_decision import settings_of
from backtrail.state.answer import Answer
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.self_rag.decisions import CheckInputs
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.self_rag.variant import SELF_RAG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class CheckAnswerSlice(TypedDict):
    """The draft and its documents."""

    question: str
    image: str | None
    attempts: list[Attempt]
    draft: Answer | None
    ranking: list[Scored]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class CheckAnswerWrites(TypedDict, total=False):
    """The judgement, in the attempt; a draft that passes ends the search."""

    attempts: list[Attempt]
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def check_answer(toolbox: Toolbox) -> AsyncNode[CheckAnswerSlice, CheckAnswerWrites]:
    """Node: judge the draft. An abstention takes no call; a draft without a valid judgement is given."""

    async def judge_draft(state: CheckAnswerSlice, runtime: Runtime[Settings]) -> CheckAnswerWrites:
        settings = settings_of(runtime)
        attempt, draft = state["attempts"][-1], state["draft"]
        if draft is None or draft["abstained"]:
            why = "The documents were relevant, but no answer could be read from them."
            return {"attempts": [{**attempt, "grounded": True, "useful": False, "why": why}]}
        ids = [scored["id"] for scored in state["ranking"]]
        documents = await asyncio.to_thread(documents_read, toolbox.contents(settings), ids, state["evidence"])
        drafts = sum(one["drafts"] for one in state["attempts"])
        check = checked_together if SELF_RAG.of(settings.variant).merged else checked_apart
        taken = await check(
            Judging(toolbox, settings, "check_answer", drafts, state["usage"], state.get("image")),
            CheckInputs(question=state["question"], answer=draft["text"], documents=documents),
        )
        writes: CheckAnswerWrites = {"usage": taken.usage, "failures": taken.failures}
        if taken.output is None:
            return {**writes, "stop_reason": "failed:check_answer"}
        judged = taken.output
        writes["attempts"] = [
            {**attempt, "grounded": judged.grounded, "useful": judged.useful, "why": judged.why or attempt["why"]}
        ]
        if judged.grounded and judged.useful:
            writes["stop_reason"] = "useful"
        return writes

    return judge_draft
