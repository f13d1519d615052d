"""retrieve: search once with the whole question, as single-shot baselines do."""

from __future__ import annotations

import time
from typing import Literal

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.fuse_rankings import fuse
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

Ranker = Literal["dense", "bm25", "hybrid"]

FUSION_DEPTH = 100
"""Depth of either list for fusion (ours)."""


class RetrieveSlice(TypedDict):
    """The standalone question."""

    question: str


class RetrieveWrites(TypedDict):
    """The results of the search."""

    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]
    stop_reason: str


def retrieve(toolbox: Toolbox, ranker: Ranker) -> SyncNode[RetrieveSlice, RetrieveWrites]:
    """Node: the k best components of the corpus for the question, by one ranker."""

    def search_once(state: RetrieveSlice, runtime: Runtime[Settings]) -> RetrieveWrites:
        settings = settings_of(runtime)
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        ranking = ranked(corpus, state["question"], ranker, settings.k)
        evidence = found_evidence(corpus, state["question"], ranking)
        return {
            "evidence": evidence,
            "ranking": [scored for scored in ranking if scored["id"] in evidence],
            "usage": {"retrieve@0": charge(stage="vectors", seconds=time.perf_counter() - started)},
            "stop_reason": "single-shot",
        }

    return search_once


def ranked(corpus: CorpusReader, question: str, ranker: Ranker, limit: int) -> list[Scored]:
    """Return the best components for a question by one ranker, best first."""
    match ranker:
        case "dense":
            found = _dense(corpus, question, limit)
        case "bm25":
            found = corpus.search_lexical(question, "component", limit)
        case "hybrid":
            depth = max(limit, FUSION_DEPTH)
            lists = [_dense(corpus, question, depth), corpus.search_lexical(question, "component", depth)]
            found = fuse(lists, limit)
    # Fused scores lie near 1/60: four digits would make neighbours equal.
    return [{"id": scored["id"], "score": round(float(scored["score"]), 6)} for scored in found]


def _dense(corpus: CorpusReader, question: str, limit: int) -> list[Scored]:
    return corpus.search_components(corpus.embed([question])[0], "component", limit)
