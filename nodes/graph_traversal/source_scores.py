"""Scores of sources for a text: alone, or as ends of a link between two of them.

Uses the offline weights of ``rules/relevance.py``. MMAPG itself ranks nothing; evaluations, and readers of a limited
number of sources, need an order (ours).
"""

from __future__ import annotations

from collections.abc import Collection

from backtrail.nodes.graph_traversal.memory_edges import memory_edges
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.rules.relevance import alone, as_end, as_start, by_kind
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.tools.corpus.protocol import CorpusReader


def source_scores(
    corpus: CorpusReader, text: str, sources: Collection[str], evidence: dict[str, Evidence], *, words: bool
) -> list[Scored]:
    """Score the sources that the corpus still has, best first, ties by id. Reads the corpus (blocking)."""
    components = corpus.components(sources)
    if not components:
        return []
    measure = Measure(corpus, text, words=words)
    measured = measure.components(components)
    own = {
        key: alone(fit.coverage, fit.similarity, fit.context, table=components[key].table is not None)
        for key, fit in measured.items()
    }
    own = by_kind(own, {key: components[key].modality for key, fit in measured.items() if fit.context}, text)
    best_rows = {key: measure.covering.best_rows(component) for key, component in components.items()}
    scores = dict(own)
    found = {key: evidence[key] for key in components if key in evidence}
    for parent, path, child in memory_edges(corpus, components, found):
        along = measure.covering.along(components[parent], path, components[child])
        best_row = path["row"] is not None and path["row"] in best_rows[parent]
        scores[parent] = max(scores[parent], as_start(along, own[parent]))
        scores[child] = max(scores[child], as_end(along, measured[child].similarity, own[child], own[parent], best_row))
    ranked: list[Scored] = [{"id": key, "score": round(score, 4)} for key, score in scores.items()]
    return sorted(ranked, key=lambda one: (-one["score"], one["id"]))
