"""rerank: everything in memory against the question; the top k (FiF section 4.2, reranker).

Ours: components that the fused decision marked relevant come first, in its order, then the others by measures: they
were judged during the search, so no call ranks them again.
"""

from __future__ import annotations

import asyncio
from typing import NotRequired

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.ranking import candidates, measured_ranking
from backtrail.nodes.fif.ranking_candidates import gathered, ranked_evidence
from backtrail.nodes.fif.search_question_parts import with_parts
from backtrail.nodes.fif.select import pictures_offered
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.choice_decisions import RERANK, RerankInputs
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Scored
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class RerankSlice(TypedDict):
    """The subqueries, all evidence, and the marked components."""

    question: str
    subqueries: list[Subquery]
    evidence: dict[str, Evidence]
    marked: NotRequired[list[str]]
    usage: dict[str, Charge]


class RerankWrites(TypedDict, total=False):
    """The ranking, and evidence in it that is new or newly names duplicates."""

    ranking: list[Scored]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]
    failures: list[Failure]


def rerank(toolbox: Toolbox) -> AsyncNode[RerankSlice, RerankWrites]:
    """Node: rank the components in memory; without a valid ranking the hops' own scores count."""

    async def rank_evidence(state: RerankSlice, runtime: Runtime[Settings]) -> RerankWrites:
        settings = settings_of(runtime)
        corpus, marked = await asyncio.to_thread(toolbox.corpus, settings), state.get("marked") or []
        texts = [subquery["text"] for subquery in state["subqueries"]]
        found = await asyncio.to_thread(gathered, corpus, state["question"], texts, state["evidence"], marked, settings)
        evidence = found.evidence
        if not evidence:
            return {"ranking": []}
        measure = await asyncio.to_thread(Measure, corpus, state["question"], words=searches_words(settings))
        if FIF.of(settings.variant).fused:
            measured = await asyncio.to_thread(measured_ranking, measure, evidence, len(evidence))
            ranking: list[Scored] = with_parts(marked_first(marked, measured), found.of_parts, settings.k)
            return {
                "ranking": ranking,
                "evidence": ranked_evidence([one["id"] for one in ranking], evidence, state["evidence"]),
            }
        offered = await asyncio.to_thread(candidates, measure, evidence, read=settings.planner != OFFLINE)
        inputs = RerankInputs(question=state["question"], candidates=offered, keep=settings.k)
        taken = await take(
            toolbox, settings, RERANK, inputs, node="rerank", step=0, spent=state["usage"],
            pictures=await pictures_offered(corpus, offered, settings),
        )  # fmt: skip
        ordered = sorted(evidence.values(), key=lambda found: (-found["score"], found["component"]))
        ranking = [{"id": found["component"], "score": found["score"]} for found in ordered]
        if taken.output and taken.output.choices:
            chosen: list[Scored] = [{"id": c.id, "score": round(c.score, 4)} for c in taken.output.choices]
            ranking = filled_up(chosen, ranking)
        return {"ranking": ranking[: settings.k], "usage": taken.usage, "failures": taken.failures}

    return rank_evidence


def filled_up(chosen: list[Scored], ranked: list[Scored]) -> list[Scored]:
    """Append the components not chosen, scored below: the paper scores all of memory and takes k."""
    ids, floor = {one["id"] for one in chosen}, min((one["score"] for one in chosen), default=0.0)
    rest = [one for one in ranked if one["id"] not in ids]
    most = max((one["score"] for one in rest), default=0.0) or 1.0
    below: list[Scored] = [
        {"id": one["id"], "score": round(floor * max(one["score"], 0) / most / 2, 4)} for one in rest
    ]
    return chosen + below


def marked_first(marked: list[str], measured: list[Scored]) -> list[Scored]:
    """Rank marked components first, with scores from 1 down to the best measured one, then the others."""
    scores = {scored["id"]: scored["score"] for scored in measured}
    present = [key for key in marked if key in scores]
    rest = [scored for scored in measured if scored["id"] not in present]
    floor = max((scored["score"] for scored in rest), default=0.0)
    step = (1.0 - floor) / max(len(present), 1)
    first: list[Scored] = [{"id": key, "score": round(1.0 - place * step, 4)} for place, key in enumerate(present)]
    return first + rest
