"""look_up: retrieve with the question, then with each sentence of the chain of thought (IRCoT)."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.deduplicate import with_duplicates
from backtrail.nodes.graph_traversal.fuse_rankings import fuse, search_components
from backtrail.nodes.graph_traversal.picture_search import with_pictures
from backtrail.nodes.ircot.deduplicate import deduplicate_retrievals
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.reading.search_record import search_record
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Hop, Scored
from backtrail.state.ircot.memory import Thought
from backtrail.state.ircot.variant import IRCOT
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.toolbox import Toolbox

DECIMALS = 6
LATE_KEPT = 3


class LookUpSlice(TypedDict):
    """The chain of thought, and earlier retrievals."""

    question: str
    thoughts: list[Thought]
    hops: list[Hop]
    evidence: dict[str, Evidence]


class LookUpWrites(TypedDict):
    """One more retrieval, and the ranking over all of them."""

    hops: list[Hop]
    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]


def look_up(toolbox: Toolbox) -> SyncNode[LookUpSlice, LookUpWrites]:
    """Node: the components nearest to the last thought, or to the question if there is none."""

    def retrieve_with_thought(state: LookUpSlice, runtime: Runtime[Settings]) -> LookUpWrites:
        settings = settings_of(runtime)
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        step = len(state["hops"])
        query = state["thoughts"][-1]["text"] if state["thoughts"] else state["question"]
        words = IRCOT.of(settings.variant).search_words
        keep = settings.ircot.per_retrieval
        nearest = with_pictures(corpus, query, search_components(corpus, query, "component", keep, words=words), keep)
        found: list[Scored] = [{**scored, "score": round(scored["score"], DECIMALS)} for scored in nearest]
        evidence = found_evidence(corpus, state["question"], found, hop=step, query=query)
        found = [scored for scored in found if scored["id"] in evidence]
        record = search_record(
            step, query, {"scope": "global", "granularity": "component", "reasoning": "none"},
            found, evidence, new=bool(set(evidence) - set(state["evidence"])),
        )  # fmt: skip
        once, places = deduplicate_retrievals(corpus, [*state["hops"], record], settings)
        return {
            "hops": [record],
            "evidence": evidence | with_duplicates(places, {**state["evidence"], **evidence}),
            "ranking": fuse_retrievals(once, settings.k, late=late_kept(settings)),
            "usage": {f"look_up@{step}": charge(stage="vectors", seconds=time.perf_counter() - started)},
        }

    return retrieve_with_thought


def late_kept(settings: Settings) -> int:
    """Return how many of the newest results are always kept (ours, with a model, which asked for them)."""
    return LATE_KEPT if IRCOT.of(settings.variant).keep_late and settings.planner != OFFLINE else 0


def fuse_retrievals(hops: list[Hop], keep: int, *, late: int = 0) -> list[Scored]:
    """Fuse all retrievals by reciprocal ranks, as similarities to different queries do not compare.

    Results of several sentences outrank those of the last one alone, so the ``late`` best of the last retrieval take
    the last places.
    """
    every = fuse([hop["components"] for hop in hops], sum(len(hop["components"]) for hop in hops))
    newest = {scored["id"] for scored in hops[-1]["components"][: min(late, keep)]} if hops else set[str]()
    missing = [scored for scored in every[keep:] if scored["id"] in newest]
    fused = [*every[: keep - len(missing)], *missing] if missing else every[:keep]
    return [{"id": scored["id"], "score": round(scored["score"], DECIMALS)} for scored in fused]
