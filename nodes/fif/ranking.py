"""Ranking of all components in memory: alone, and as start or end of a path."""

from __future__ import annotations

from backtrail.nodes.graph_traversal.memory_edges import Edges, memory_edges
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.reading.component_views import component_text
from backtrail.nodes.reading.truncate_component import truncate_component
from backtrail.rules.fif.rerank import rerank as by_measures
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.fif.choice_decisions import RerankCandidate, RerankInputs
from backtrail.state.hop import Scored
from backtrail.state.path import Path

CANDIDATE_CHARACTERS = 500
# Values from 0.05 to 0.2 raise the same pages on our corpora.
MENTION_ADDS = 0.1
LINK_ADDS = 0.01


def measured_ranking(measure: Measure, evidence: dict[str, Evidence], keep: int) -> list[Scored]:
    """Rank by the rules of the last ranking, best first. Reads the corpus (blocking)."""
    question = measure.covering.text
    inputs = RerankInputs(question=question, candidates=candidates(measure, evidence), keep=keep)
    return [{"id": choice.id, "score": round(choice.score, 4)} for choice in by_measures(inputs).choices]


def candidates(measure: Measure, evidence: dict[str, Evidence], *, read: bool = False) -> list[RerankCandidate]:
    """Return all components in memory with their measures. Reads the corpus (blocking).

    Args:
        read: whether a model reads the texts, so that long ones show their best pieces; rules use measures.
    """
    corpus = measure.covering.corpus
    components = corpus.components(list(evidence))
    measured = measure.components(components)
    best, onward = _best_paths(measure, components, memory_edges(corpus, components, evidence))
    best_rows = {
        parent: measure.covering.best_rows(components[parent])
        for parent in {path["parent"] for _, path in best.values()}
    }
    return [
        RerankCandidate(
            index=index,
            id=key,
            modality=component.modality,
            title=measure.covering.title(component),
            text=truncate_component(measure.covering, component, CANDIDATE_CHARACTERS)
            if read
            else component_text(component, CANDIDATE_CHARACTERS),
            similarity=round(measured[key].similarity, 4),
            coverage=round(measured[key].coverage, 4),
            path_coverage=round(best[key][0], 4) if key in best else round(measured[key].coverage, 4),
            links=measured[key].links,
            parent=best[key][1]["parent"] if key in best else None,
            from_best_row=key in best and best[key][1]["row"] in best_rows[best[key][1]["parent"]],
            context=measured[key].context,
            onward_coverage=round(onward.get(key, 0.0), 4),
        )
        for index, (key, component) in enumerate(components.items())
    ]


def _best_paths(
    measure: Measure, components: dict[str, Component], edges: Edges
) -> tuple[dict[str, tuple[float, Path]], dict[str, float]]:
    """Return each child's best path with its coverage, and each parent's best onward coverage.

    Parents also compete by their own fit: a poor page that links to a good one does not support it.
    """
    own = {key: measure.covering.alone(component) for key, component in components.items()}
    best: dict[str, tuple[float, Path]] = {}
    onward: dict[str, float] = {}
    for parent, path, child in edges:
        along = measure.covering.along(components[parent], path, components[child])
        if along >= _needed(path, own[parent], own[child]):
            onward[parent] = max(onward.get(parent, 0.0), along)
        if child not in best or along + own[parent] > best[child][0] + own[best[child][1]["parent"]]:
            best[child] = (along, path)
    return (_that_add(best, components, own) if measure.words else best), onward


def _that_add(
    best: dict[str, tuple[float, Path]], components: dict[str, Component], own: dict[str, float]
) -> dict[str, tuple[float, Path]]:
    """Drop paths to paragraphs that cover nothing, where another one of the document covers more.

    A link leads to a whole document; its relevant paragraphs are the end of the path. A table that answers a question
    often shares few terms with it, so it stays.
    """
    most: dict[str, float] = {}
    for child, (along, _) in best.items():
        document = components[child].document
        most[document] = max(most.get(document, 0.0), along)
    return {
        child: path
        for child, path in best.items()
        if own[child] > 0.0 or components[child].modality != "text" or path[0] == most[components[child].document]
    }


def _needed(path: Path, parent: float, child: float) -> float:
    """Return the coverage along a path from which its parent counts as a start.

    For a table row it is 0, as its cells belong together; a paragraph that links, and still more one that only mentions
    a name, has to add to the coverage of its target.
    """
    if path.get("mention"):
        return max(parent, child) + MENTION_ADDS
    return 0.0 if path["row"] is not None else child + LINK_ADDS
