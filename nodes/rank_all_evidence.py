"""Ranking of all results of a run's searches, for the generator (D_T)."""

from __future__ import annotations

import sys

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.tools.corpus.search.reciprocal_rank_fusion import fuse


class RankAllSlice(TypedDict):
    """All searches, and their results."""

    searches: list[SearchRecord]
    evidence: dict[str, Evidence]


class RankAllWrites(TypedDict):
    """The ranking."""

    ranking: list[Scored]


def rank_all_evidence() -> SyncNode[RankAllSlice, RankAllWrites]:
    """Node: rank every kept element by reciprocal ranks over the searches, all with the same weight."""

    def rank_elements(state: RankAllSlice, runtime: Runtime[Settings]) -> RankAllWrites:
        found = state["evidence"]
        ranking = [scored for scored in fused(state["searches"]) if scored["id"] in found]
        # First places of several searches are equal; coverage of the question decides.
        ranking.sort(key=lambda scored: (-scored["score"], -found[scored["id"]]["coverage"]))
        return {"ranking": ranking[: settings_of(runtime).cogplanner.elements]}

    return rank_elements


def fused(searches: list[SearchRecord]) -> list[Scored]:
    """Fuse the results of several searches, best first; elements of several searches come early."""
    rankings: list[list[Scored]] = [[{"id": id_, "score": 0.0} for id_ in search["found"]] for search in searches]
    return [{"id": scored["id"], "score": round(scored["score"], 6)} for scored in fuse(rankings, sys.maxsize)]
