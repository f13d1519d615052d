"""grade_documents: judge which documents of the last search are relevant (self-reflective RAG)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.rank_all_evidence import fused
from backtrail.nodes.self_rag.document_views import documents_read
from backtrail.nodes.self_rag.judgements import Judging, graded_apart, graded_together
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.search import SearchRecord
from backtrail.state.self_rag.decisions import GradeInputs
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.self_rag.variant import SELF_RAG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class GradeDocumentsSlice(TypedDict):
    """The searches; the last one is graded."""

    question: str
    image: str | None
    attempts: list[Attempt]
    searches: list[SearchRecord]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class GradeDocumentsWrites(TypedDict):
    """The attempt, and its relevant documents as the ranking."""

    attempts: list[Attempt]
    ranking: list[Scored]
    usage: dict[str, Charge]
    failures: list[Failure]


def grade_documents(toolbox: Toolbox) -> AsyncNode[GradeDocumentsSlice, GradeDocumentsWrites]:
    """Node: keep relevant documents. Without a valid judgement all are kept, and the failure is recorded."""

    async def keep_relevant(state: GradeDocumentsSlice, runtime: Runtime[Settings]) -> GradeDocumentsWrites:
        settings, number = settings_of(runtime), len(state["attempts"]) + 1
        search = state["searches"][-1]
        attempt: Attempt = {
            "round": number, "query": search["query"], "relevant": [], "drafts": 0, "grounded": None, "useful": None,
            "why": search["reason"],
        }  # fmt: skip
        if not search["found"]:
            return {"attempts": [attempt], "ranking": [], "usage": {}, "failures": []}
        documents = await asyncio.to_thread(
            documents_read, toolbox.contents(settings), search["found"], state["evidence"]
        )
        grade = graded_together if SELF_RAG.of(settings.variant).merged else graded_apart
        taken = await grade(
            Judging(toolbox, settings, "grade_documents", number, state["usage"], state.get("image")),
            GradeInputs(question=state["question"], query=search["query"], documents=documents),
        )
        relevant = taken.output.relevant if taken.output else search["found"]
        attempt = {
            **attempt,
            "relevant": list(dict.fromkeys(relevant)),
            "why": taken.output.why if taken.output else "No valid judgement was given; every document was kept.",
        }
        kept = set(relevant)
        return {
            "attempts": [attempt],
            "ranking": [scored for scored in fused([search]) if scored["id"] in kept],
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return keep_relevant
