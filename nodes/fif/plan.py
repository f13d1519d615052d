"""plan: add subqueries from what was tried and found; earlier ones stay (FiF section 4.2, planner).

A model reads everything that was retrieved, each component as the reranker reads it.
"""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.decompose import numbered
from backtrail.nodes.fif.memory_views import hop_views, subquery_views
from backtrail.nodes.fif.ranking import candidates
from backtrail.nodes.fif.select import pictures_offered
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.choice_decisions import RerankCandidate
from backtrail.state.fif.memory import Proposal
from backtrail.state.fif.orchestrate_decisions import PLAN, PlanInputs
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Hop, action_record
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox


class PlanSlice(TypedDict):
    """The whole memory."""

    question: str
    subqueries: list[Subquery]
    hops: list[Hop]
    evidence: dict[str, Evidence]
    proposal: Proposal
    usage: dict[str, Charge]


class PlanWrites(TypedDict, total=False):
    """New subqueries, and the record of the planning step."""

    subqueries: list[Subquery]
    hops: list[Hop]
    usage: dict[str, Charge]
    failures: list[Failure]


def plan(toolbox: Toolbox) -> AsyncNode[PlanSlice, PlanWrites]:
    """Node: one or two new subqueries. No valid plan is a failed step, and the run continues."""

    async def add_subqueries(state: PlanSlice, runtime: Runtime[Settings]) -> PlanWrites:
        settings = settings_of(runtime)
        step = len(state["hops"])
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        inputs = await asyncio.to_thread(_inputs, state, corpus, settings)
        taken = await take(
            toolbox, settings, PLAN, inputs,
            node="plan", step=step, spent=state["usage"], by_rules=FIF.of(settings.variant).fused,
            pictures=await pictures_offered(corpus, inputs.evidence, settings),
        )  # fmt: skip
        planned = taken.output.subqueries if taken.output else []
        added = numbered(planned, first=len(state["subqueries"]), step=step)
        record = action_record(
            "plan",
            step,
            "; ".join(subquery["text"] for subquery in added),
            "success" if added else "failure",
            f"{len(added)} new subqueries" if added else "No valid plan came back.",
            state["proposal"]["why"],
        )
        return {"subqueries": added, "hops": [record], "usage": taken.usage, "failures": taken.failures}

    return add_subqueries


def _inputs(state: PlanSlice, corpus: CorpusReader, settings: Settings) -> PlanInputs:
    question, evidence = state["question"], state["evidence"]
    read: list[RerankCandidate] = []
    if settings.planner != OFFLINE:
        read = candidates(Measure(corpus, question, words=searches_words(settings)), evidence, read=True)
    return PlanInputs(
        question=question,
        subqueries=subquery_views(state["subqueries"]),
        memory=hop_views(state["hops"], evidence, corpus, question),
        evidence=read,
    )
