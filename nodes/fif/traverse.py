"""traverse: make one hop over the component graph, documents first, then components (FiF section 4.2).

Both stages score with max similarity over descendants at the layer of the granularity. In local scope
each neighbour is also scored as a path: how much of the subtask the linking piece (the table row or
sentence with the link) and the neighbour cover together, so a matching row's links come first (ours).
A global hop for a name that its anchor mentions follows the mention like a link (ours).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import NotRequired

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.fuse_rankings import search_components, search_documents
from backtrail.nodes.graph_traversal.mentions import mentioned_documents, pursued, sought_text
from backtrail.nodes.graph_traversal.named_documents import named_documents
from backtrail.nodes.graph_traversal.paths import local_paths, path_scores
from backtrail.nodes.graph_traversal.picture_search import with_pictured_documents, with_pictures
from backtrail.nodes.graph_traversal.share_places import share_places
from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.fif.memory import HopInProgress
from backtrail.state.fif.settings import FifSettings
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Route, Scored
from backtrail.state.path import Path
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.corpus.dated_files import DatedFile
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

OWN_SHARE = 3
"""A local hop adds a third as many pieces of its anchors, so that they displace no neighbour's (ours)."""


class TraverseSlice(TypedDict):
    """The admitted route, and the question it serves."""

    question: str
    hop: HopInProgress
    fused: NotRequired[bool]


class TraverseWrites(TypedDict):
    """The hop with the results of this stage."""

    hop: HopInProgress
    usage: dict[str, Charge]


def traverse_documents(toolbox: Toolbox) -> SyncNode[TraverseSlice, TraverseWrites]:
    """Node: the document stage. Leaves a shortlist if reasoning chooses documents."""

    def find_documents(state: TraverseSlice, runtime: Runtime[Settings]) -> TraverseWrites:
        settings = settings_of(runtime)
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        hop = state["hop"]
        route = hop["route"]
        keep = _documents_kept(route, settings.fif)
        parents: dict[str, Path] = {}
        names = pursued(route, state["question"]) if FIF.of(settings.variant).mentions else []
        if route["strategy"]["scope"] == "local":
            if FIF.of(settings.variant).path_coverage:
                documents, parents = _neighbours(corpus, route, keep, shared=state.get("fused", False))
            else:
                documents, parents = _nearest_neighbours(corpus, route, keep)
        elif names:
            documents, parents = mentioned_documents(corpus, route, names, keep)
        else:
            documents = []
        if route["strategy"]["scope"] == "global" and not documents:  # also if no document contains the name
            search = partial(
                search_documents, corpus, route["subquery"], route["strategy"]["granularity"], keep,
                words=searches_words(settings),
            )  # fmt: skip
            documents = with_pictured_documents(corpus, route["subquery"], search(), keep)
            groups = [search(file.documents) for file in _named(corpus, route, settings)]
            documents = share_places(documents, groups, keep)
        return {
            "hop": {**hop, "documents": _rounded(documents), "parents": parents},
            "usage": {f"traverse_documents@{route['step']}": _searched(started)},
        }

    return find_documents


def traverse_components(toolbox: Toolbox) -> SyncNode[TraverseSlice, TraverseWrites]:
    """Node: the component stage among the children of the documents."""

    def find_components(state: TraverseSlice, runtime: Runtime[Settings]) -> TraverseWrites:
        settings = settings_of(runtime)
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        hop = state["hop"]
        route = hop["route"]
        # If fused, no selection has cut the shortlist of documents, so components of all are searched.
        documents = hop["documents"] if state.get("fused") else hop["documents"][: settings.fif.documents_per_hop]
        reasoned = route["strategy"]["reasoning"] != "none"
        keep = settings.fif.shortlist if reasoned else settings.fif.components_per_hop
        names = pursued(route, state["question"]) if FIF.of(settings.variant).mentions else []
        text = sought_text(corpus, route, names) if names else route["subquery"]
        among = [scored["id"] for scored in documents]
        search = partial(
            search_components, corpus, text, route["strategy"]["granularity"], keep, words=searches_words(settings)
        )
        components = with_pictures(corpus, route["subquery"], search(among), keep, among)
        local = state.get("fused", False) and route["strategy"]["scope"] == "local"
        led_to = _led_to(corpus, route["anchors"], hop["parents"]) if local else []
        groups = [*led_to, *(file.documents for file in _named(corpus, route, settings))]
        components = share_places(components, [search(group) for group in groups], keep)
        if local:
            components += _of_anchors(corpus, route, text, keep, settings)
        return {
            "hop": {**hop, "documents": documents, "components": _rounded(components)},
            "usage": {f"traverse_components@{route['step']}": _searched(started)},
        }

    return find_components


def _of_anchors(corpus: CorpusReader, route: Route, text: str, keep: int, settings: Settings) -> list[Scored]:
    """Return the best pieces of the anchors, at least one each, after those of their neighbours and fewer (ours)."""
    anchors = route["anchors"]
    most = max(len(anchors), keep // OWN_SHARE)
    search = partial(
        search_components, corpus, text, route["strategy"]["granularity"], most, words=searches_words(settings)
    )
    return share_places(search(anchors), [search([anchor]) for anchor in anchors] if len(anchors) > 1 else [], most)


def _led_to(corpus: CorpusReader, anchors: list[str], paths: Mapping[str, Path]) -> list[list[str]]:
    """Return the documents that each of several anchors leads to by their best paths: none is left out (ours)."""
    if len(anchors) < 2:
        return []
    parents = corpus.components({path["parent"] for path in paths.values()})
    found = [[one for one, path in paths.items() if parents[path["parent"]].document == anchor] for anchor in anchors]
    return [documents for documents in found if documents]


def searches_words(settings: Settings) -> bool:
    """Return whether a run uses hybrid search."""
    return settings.fif.hybrid and FIF.of(settings.variant).search_words


def _named(corpus: CorpusReader, route: Route, settings: Settings) -> list[DatedFile]:
    """Return the files whose best results take turns with those of all in a global hop, with a model (ours)."""
    if route["strategy"]["scope"] == "local" or not FIF.of(settings.variant).fused or settings.planner == OFFLINE:
        return []
    return named_documents(corpus, route["subquery"], settings.fif.documents_per_hop)


def _documents_kept(route: Route, fif: FifSettings) -> int:
    return fif.shortlist if route["strategy"]["reasoning"] == "both" else fif.documents_per_hop


def _neighbours(corpus: CorpusReader, route: Route, keep: int, *, shared: bool) -> tuple[list[Scored], dict[str, Path]]:
    """Return the best neighbouring documents, and the path to each. ``shared``: the anchors take turns."""
    paths = local_paths(corpus, route["anchors"])
    scores = path_scores(corpus, route["subquery"], route["strategy"]["granularity"], paths)
    best = {document: scores[document] for document in sorted(scores, key=lambda one: (-scores[one].score, one))}
    ranked: list[Scored] = [{"id": document, "score": one.score} for document, one in best.items()]
    groups = _led_to(corpus, route["anchors"], {document: one.path for document, one in best.items()}) if shared else []
    kept = share_places(ranked, [[one for one in ranked if one["id"] in group] for group in groups], keep)
    return kept, {one["id"]: scores[one["id"]].path for one in kept}


def _nearest_neighbours(corpus: CorpusReader, route: Route, keep: int) -> tuple[list[Scored], dict[str, Path]]:
    """Return the neighbours with the nearest vectors, as published, and the first path to each."""
    paths = local_paths(corpus, route["anchors"])
    query = corpus.embed([route["subquery"]])[0]
    documents = corpus.search_documents(query, route["strategy"]["granularity"], keep, list(paths))
    return documents, {one["id"]: paths[one["id"]][0] for one in documents}


def _rounded(scored: list[Scored]) -> list[Scored]:
    return [{**item, "score": round(float(item["score"]), 4)} for item in scored]


def _searched(started: float) -> Charge:
    return charge(stage="vectors", seconds=time.perf_counter() - started)
