"""rerank: everything in memory against the question; the top k (FiF section 4.2, reranker)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.contents import component_text
from backtrail.nodes.walking.edges_within import Edges, edges_within
from backtrail.nodes.walking.measure import Measure
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.decisions import RERANK, RerankCandidate, RerankInputs
from backtrail.state.hop import Scored
from backtrail.state.path import Path
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

CANDIDATE_CHARACTERS = 500
# From 0.05 to 0.2 the same pages are lifted on the corpora at hand.
MENTION_ADDS = 0.1
LINK_ADDS = 0.01


class RerankSlice(TypedDict):
    """All that was found."""

    question: str
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class RerankWrites(TypedDict, total=False):
    """The ranking."""

    ranking: list[Scored]
    usage: dict[str, Charge]
    failures: list[Failure]


def rerank(toolbox: Toolbox) -> AsyncNode[RerankSlice, RerankWrites]:
    """Node: rank the components in memory; without a valid ranking the hops' own scores stand."""

    async def rank_evidence(state: RerankSlice, runtime: Runtime[Settings]) -> RerankWrites:
        settings = settings_of(runtime)
        if not state["evidence"]:
            return {"ranking": []}
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        measure = await asyncio.to_thread(Measure, corpus, state["question"], words=searches_words(settings))
        candidates = await asyncio.to_thread(_candidates, measure, state["evidence"])
        inputs = RerankInputs(question=state["question"], candidates=candidates, keep=settings.k)
        taken = await take(toolbox, settings, RERANK, inputs, node="rerank", step=0, spent=state["usage"])
        if taken.output and taken.output.choices:
            ranking: list[Scored] = [{"id": c.id, "score": round(c.score, 4)} for c in taken.output.choices]
        else:
            held = sorted(state["evidence"].values(), key=lambda found: (-found["score"], found["component"]))
            ranking = [{"id": found["component"], "score": found["score"]} for found in held]
        return {"ranking": ranking[: settings.k], "usage": taken.usage, "failures": taken.failures}

    return rank_evidence


def _candidates(measure: Measure, evidence: dict[str, Evidence]) -> list[RerankCandidate]:
    corpus = measure.covering.corpus
    components = corpus.components(list(evidence))
    measured = measure.components(components)
    best, onward = _best_paths(measure, components, edges_within(corpus, components, evidence))
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
            text=component_text(component, CANDIDATE_CHARACTERS),
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
    """For each child the best path with its coverage; for each parent the best onward coverage.

    Parents compete by how well they fit on their own too: a poor page that links to a good one is no
    support for it.
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
    return best, onward


def _needed(path: Path, parent: float, child: float) -> float:
    """The coverage along a path from which its parent counts as a start: what leads there has to say something too.

    Of a table's row that is taken for granted, as its cells stand together; a paragraph that links, and still more
    one that only mentions a name, has to add to what it leads to.
    """
    if path.get("mention"):
        return max(parent, child) + MENTION_ADDS
    return 0.0 if path["row"] is not None else child + LINK_ADDS
