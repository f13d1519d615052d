"""grade_documents: which of the documents of the last search bear on the question (self-reflective RAG)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.rank_found import fused
from backtrail.nodes.self_rag.documents_read import documents_read, pictures_graded
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.search import SearchRecord
from backtrail.state.self_rag.decisions import GRADE, GradeInputs
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class GradeDocumentsSlice(TypedDict):
    """The searches, of which the last is graded."""

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
    """Node: keep what is relevant. Without a valid judgement every document stays, and the failure is recorded."""

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
        taken = await take(
            toolbox, settings, GRADE,
            GradeInputs(question=state["question"], query=search["query"], documents=documents),
            node="grade_documents", step=number, spent=state["usage"],
            pictures=await pictures_graded(toolbox, settings, state.get("image"), search["found"]),
        )  # fmt: skip
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
