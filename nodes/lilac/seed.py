"""seed: start a beam search at the components with the nearest pieces (LILaC, initial candidates)."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.graph_traversal.picture_search import with_pictures
from backtrail.nodes.lilac.edges import DECIMALS, match
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.reading.search_record import search_record
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Hop, Scored
from backtrail.state.lilac.variant import LILAC
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge, charge
from backtrail.tools.toolbox import Toolbox


class SeedSlice(TypedDict):
    """The question and its subqueries."""

    question: str
    subqueries: list[Subquery]


class SeedWrites(TypedDict):
    """The first frontier, and its ranking in case the run ends here."""

    frontier: list[str]
    hops: list[Hop]
    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]


def seed(toolbox: Toolbox) -> SyncNode[SeedSlice, SeedWrites]:
    """Node: as many components as the beam is wide, by the piece nearest to the whole question."""

    def find_seeds(state: SeedSlice, runtime: Runtime[Settings]) -> SeedWrites:
        settings = settings_of(runtime)
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        question = state["question"]
        words = LILAC.of(settings.variant).search_words
        beam = settings.lilac.beam
        near = search_components(corpus, question, "subcomponent", beam, words=words)
        nearest = with_pictures(corpus, question, near, beam)
        components = corpus.components([scored["id"] for scored in nearest])
        frontier = [scored["id"] for scored in nearest if scored["id"] in components]
        matches = match(
            corpus, searched_texts(state, words=words), {one.document for one in components.values()}, words=words
        )
        # The question finds the frontier; the subqueries order it, as they do every edge.
        alone = {key: round(matches.alone(key), DECIMALS) for key in frontier}
        # Pictures found by pixels alone match no words: they keep their score.
        by_words = {scored["id"] for scored in near}
        alone |= {one["id"]: round(one["score"], DECIMALS) for one in nearest if one["id"] in set(alone) - by_words}
        order = sorted(frontier, key=lambda key: (-alone[key], key))[: settings.k]
        ranking: list[Scored] = [{"id": key, "score": alone[key]} for key in order]
        evidence = found_evidence(corpus, question, ranking)
        record = search_record(
            0, question, {"scope": "global", "granularity": "subcomponent", "reasoning": "none"},
            ranking, evidence, new=bool(ranking),
        )  # fmt: skip
        return {
            "frontier": frontier,
            "hops": [record],
            "evidence": evidence,
            "ranking": ranking,
            "usage": {"seed@0": charge(stage="vectors", seconds=time.perf_counter() - started)},
        }

    return find_seeds


def searched_texts(state: SeedSlice, *, words: bool) -> list[str]:
    """Return the subqueries, with ``words`` the whole question too (ours); the question if there are none."""
    texts = [subquery["text"] for subquery in state["subqueries"]]
    return list(dict.fromkeys([*texts, state["question"]])) if words or not texts else texts
