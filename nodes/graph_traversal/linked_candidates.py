"""Ranking of the components that the parents' sources link to (ours; MMAPG follows no links)."""

from __future__ import annotations

from collections.abc import Collection

from backtrail.nodes.graph_traversal.paths import local_paths, path_scores
from backtrail.state.component import Component
from backtrail.state.hop import Scored
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

PIECES_PER_DOCUMENT = 2
"""Most components of a linked document to examine, the nearest to the instruction."""

Parents = dict[str, tuple[Component, Path]]


def linked_candidates(
    corpus: CorpusReader, instruction: str, sources: Collection[str], limit: int
) -> tuple[list[Scored], Parents, bool]:
    """Return components of linked documents, the path to each, and whether there were more documents.

    Reads the corpus (blocking).
    """
    parents_by_id = corpus.components(sources)
    anchors = {component.document for component in parents_by_id.values()}
    paths = {
        document: leading
        for document, found in local_paths(corpus, anchors).items()
        if (leading := [path for path in found if path["parent"] in parents_by_id])
    }
    scores = path_scores(corpus, instruction, "component", paths)
    ranked = sorted(scores, key=lambda document: (-scores[document].score, document))
    kept = ranked[:limit]
    near = corpus.search_components(corpus.embed([instruction])[0], "component", limit * 20, kept)
    components = corpus.components([scored["id"] for scored in near])
    by_document: dict[str, list[Scored]] = {document: [] for document in kept}
    for scored in near:
        component = components.get(scored["id"])
        if component and len(by_document[component.document]) < PIECES_PER_DOCUMENT:
            by_document[component.document].append(scored)
    found = [scored for document in kept for scored in by_document[document]][:limit]
    parents: Parents = {}
    for scored in found:
        path = scores[components[scored["id"]].document].path
        parents[scored["id"]] = (parents_by_id[path["parent"]], path)
    return found, parents, len(ranked) > limit
