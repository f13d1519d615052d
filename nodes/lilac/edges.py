"""Edges of the component graph, and their match with the subqueries (LILaC, late interaction).

An edge joins two components: one links to the other's document, or both are in one document. A subquery matches the
best subcomponent on either end; the score of an edge is the sum over the subqueries. A component may also stand alone.
Exact: every similarity is a product with the stored vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backtrail.nodes.graph_traversal.fuse_rankings import fits_of
from backtrail.nodes.graph_traversal.memory_edges import led_to
from backtrail.state.hop import Scored
from backtrail.tools.corpus.protocol import CorpusReader

DECIMALS = 6
# Least gain of both ends over the better one alone; less is rounding.
LEAST_GAIN = 1e-5


class Pair(NamedTuple):
    """Two joined components; for a link with the row of the source's table."""

    source: str
    target: str
    linked: bool
    row: int | None = None


@dataclass(frozen=True)
class Edge:
    """A pair, or a component alone (source and target are the same), with its score."""

    pair: Pair
    score: float


@dataclass(frozen=True)
class Matches:
    """Match of each component with each subquery by its best piece: [components, subqueries], rows by id."""

    rows: dict[str, int]
    best: NDArray[np.float64]

    def alone(self, component: str) -> float:
        """Return the score of a component by itself."""
        return float(self.best[self.rows[component]].sum())


def pairs_of(corpus: CorpusReader, frontier: Sequence[str]) -> tuple[list[Pair], set[str]]:
    """Return every pair with one end in the frontier, and all documents involved.

    Links are followed from their component only: the corpus has no index of the other direction.
    """
    home = {key: component.document for key, component in corpus.components(frontier).items()}
    links = corpus.links(list(home))
    documents = set(home.values()) | {link.target for found in links.values() for link in found}
    children = corpus.children(documents)
    pairs: dict[tuple[str, str], Pair] = {}
    for source, document in home.items():
        joined = [
            Pair(source, target, True, link.row) for link in links.get(source, []) for target in led_to(link, children)
        ]
        joined += [Pair(source, target, False) for target in children.get(document, [])]
        for pair in joined:
            key = (min(pair.source, pair.target), max(pair.source, pair.target))
            if pair.source != pair.target and (key not in pairs or (pair.linked and not pairs[key].linked)):
                pairs[key] = pair
    return list(pairs.values()), documents


def match(corpus: CorpusReader, subqueries: Sequence[str], documents: set[str], *, words: bool) -> Matches:
    """Return the matches of all components of the documents; with ``words`` by fit to a subquery (ours)."""
    ids = sorted({key for members in corpus.children(documents).values() for key in members})
    rows = {key: row for row, key in enumerate(ids)}
    best = np.zeros((len(ids), len(subqueries)))
    for column, (text, query) in enumerate(zip(subqueries, corpus.embed(subqueries), strict=True)):
        near = corpus.search_components(query, "subcomponent", len(ids), documents)
        scores = {scored["id"]: scored["score"] for scored in near}
        for key, score in (fits_of(corpus, text, scores) if words else scores).items():
            best[rows[key], column] = score
    return Matches(rows, best)


def best_edges(pairs: Sequence[Pair], matches: Matches, keep: int) -> list[Edge]:
    """Return the ``keep`` best edges, best first, ties by ids.

    A pair in which one end adds nothing to the other is no edge: the better end stands alone (ours).
    """
    known = [pair for pair in pairs if pair.source in matches.rows and pair.target in matches.rows]
    source = np.array([matches.rows[pair.source] for pair in known], np.int64)
    target = np.array([matches.rows[pair.target] for pair in known], np.int64)
    alone = matches.best.sum(axis=1)
    joint = np.maximum(matches.best[source], matches.best[target]).sum(axis=1)
    gained = np.flatnonzero(joint > np.maximum(alone[source], alone[target]) + LEAST_GAIN)
    candidates = [known[index] for index in gained] + [Pair(key, key, False) for key in matches.rows]
    scores = np.round(np.concatenate([joint[gained], alone]), DECIMALS)
    if len(scores) > keep:
        chosen = np.flatnonzero(scores >= np.partition(scores, len(scores) - keep)[len(scores) - keep])
    else:
        chosen = np.arange(len(scores))
    edges = [Edge(candidates[index], float(scores[index])) for index in chosen]
    return sorted(edges, key=lambda edge: (-edge.score, edge.pair.source, edge.pair.target))[:keep]


def rank_by_best_edge(edges: Sequence[Edge], matches: Matches) -> list[Scored]:
    """Rank components by their best edge; of its two ends the better match comes first."""
    best: dict[str, float] = {}
    for edge in edges:
        for key in (edge.pair.source, edge.pair.target):
            best[key] = max(edge.score, best.get(key, edge.score))
    ranked = sorted(best, key=lambda key: (-best[key], -round(matches.alone(key), DECIMALS), key))
    return [{"id": key, "score": best[key]} for key in ranked]


def best_links(edges: Sequence[Edge]) -> dict[str, Pair]:
    """Return, for targets of links in kept edges, the pair of the best such edge."""
    found: dict[str, Pair] = {}
    for edge in edges:
        if edge.pair.linked:
            found.setdefault(edge.pair.target, edge.pair)
    return found
