"""expand: one iteration of a beam search over edges of the component graph (LILaC)."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.deduplicate import deduplicate_by_id
from backtrail.nodes.lilac.edges import Edge, best_edges, best_links, match, pairs_of, rank_by_best_edge
from backtrail.nodes.lilac.seed import searched_texts
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.reading.search_record import search_record
from backtrail.nodes.take_decision import settings_of
from backtrail.state.budget import exceeded
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Hop, Scored
from backtrail.state.lilac.variant import LILAC
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge, charge
from backtrail.tools.toolbox import Toolbox


class ExpandSlice(TypedDict):
    """The subqueries, and the components the edges start from."""

    question: str
    subqueries: list[Subquery]
    frontier: list[str]
    hops: list[Hop]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class ExpandWrites(TypedDict, total=False):
    """The ends of the best edges, ranked; after the last iteration the stop reason."""

    frontier: list[str]
    hops: list[Hop]
    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]
    stop_reason: str


def expand(toolbox: Toolbox) -> SyncNode[ExpandSlice, ExpandWrites]:
    """Node: keep the best edges from the frontier. A reached ceiling keeps the ranking."""

    def expand_beam(state: ExpandSlice, runtime: Runtime[Settings]) -> ExpandWrites:
        settings = settings_of(runtime)
        step = len(state["hops"])
        over = exceeded(state["usage"], step, settings.budget)
        if over or not state["frontier"]:
            return {"stop_reason": over or "nothing found"}
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        variant = LILAC.of(settings.variant)
        words = variant.search_words
        pairs, documents = pairs_of(corpus, state["frontier"])
        matches = match(corpus, searched_texts(state, words=words), documents, words=words)
        edges = best_edges(pairs, matches, settings.lilac.beam)
        ranking = rank_by_best_edge(edges, matches)
        ranking = (
            deduplicate_by_id(corpus, ranking, settings.k) if variant.deduplicate_components else ranking[: settings.k]
        )
        evidence = _with_parents(found_evidence(corpus, state["question"], ranking, hop=step), edges)
        ranking = [scored for scored in ranking if scored["id"] in evidence]
        record = search_record(
            step, state["question"], {"scope": "local", "granularity": "subcomponent", "reasoning": "none"},
            ranking, evidence, new=bool(set(evidence) - set(state["evidence"])),
        )  # fmt: skip
        writes: ExpandWrites = {
            "frontier": _ends(edges),
            "hops": [record],
            "evidence": evidence,
            "ranking": ranking,
            "usage": {f"expand@{step}": charge(stage="vectors", seconds=time.perf_counter() - started)},
        }
        if step >= settings.lilac.iterations:
            writes["stop_reason"] = "beam searched"
        return writes

    return expand_beam


def _ends(edges: list[Edge]) -> list[str]:
    """Return the components of the beam, those of the best edge first."""
    return list(dict.fromkeys(key for edge in edges for key in (edge.pair.source, edge.pair.target)))


def _with_parents(found: dict[str, Evidence], edges: list[Edge]) -> dict[str, Evidence]:
    """Add the linking component to evidence that a link led to, so that the reader gets both."""
    linked: dict[str, Evidence] = {}
    pairs = best_links(edges)
    for key, evidence in found.items():
        pair = pairs.get(key)
        linked[key] = {**evidence, "parent": pair.source, "parent_row": pair.row, "linked": True} if pair else evidence
    return linked
