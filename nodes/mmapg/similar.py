"""similar: retrieve the components most similar to the instruction (ablation, MMAPG A.5)."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.picture_search import with_pictures
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.component_views import locator, snippet
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.mmapg.planning_graph import CONTENT_CHARACTERS, PlanningNode, Search, number_of
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.toolbox import Toolbox

NO_SEARCH: Search = {
    "text_queries": [], "image_queries": [], "image_question": "", "image_kind": "none", "text_base": "similarity",
    "image_base": "none", "text_radius": 2.0, "image_radius": 2.0, "entries": 0, "examined": 0, "capped": False,
}  # fmt: skip


class SimilarSlice(TypedDict):
    """The admitted retrieval."""

    node: PlanningNode
    question: str


class SimilarWrites(TypedDict):
    """The retrieval as a node of the graph, with its sources as evidence."""

    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


def similar(toolbox: Toolbox) -> SyncNode[SimilarSlice, SimilarWrites]:
    """Node: the nearest components, whatever their content."""

    def find_similar(state: SimilarSlice, runtime: Runtime[Settings]) -> SimilarWrites:
        settings = settings_of(runtime)
        started = time.perf_counter()
        corpus = toolbox.corpus(settings)
        node, keep = state["node"], settings.mmapg.sources
        query = corpus.embed([node["instruction"]])[0]
        near = with_pictures(corpus, node["instruction"], corpus.search_components(query, "component", keep), keep)
        components = corpus.components([scored["id"] for scored in near])
        measure = Measure(corpus, state["question"])
        evidence: dict[str, Evidence] = {}
        for scored in near:
            component = components[scored["id"]]
            evidence[component.id] = {
                "component": component.id,
                "modality": component.modality,
                "document": component.document,
                "title": measure.covering.title(component),
                "snippet": snippet(component),
                "locator": locator(component),
                "score": round(float(scored["score"]), 4),
                "coverage": round(measure.covering.alone(component), 4),
                "hop": number_of(node["id"]),
                "query": node["id"],
            }
        spent = charge(stage="vectors", seconds=time.perf_counter() - started)
        return {
            "planning_graph": [_node(node, evidence, limit=keep)],
            "evidence": evidence,
            "usage": {f"similar@{number_of(node['id'])}": spent},
        }

    return find_similar


def _node(node: PlanningNode, evidence: dict[str, Evidence], limit: int) -> PlanningNode:
    search: Search = {**NO_SEARCH, "text_queries": [node["instruction"]], "entries": len(evidence)}
    search["capped"] = len(evidence) >= limit
    if not evidence:
        return {**node, "search": search, "content": "Nothing found: the corpus holds nothing to compare with."}
    lines: list[str] = []
    for found in evidence.values():
        line = f"{found['title']}: {found['snippet']}"
        if sum(map(len, lines)) + len(lines) + len(line) <= CONTENT_CHARACTERS:
            lines.append(line)
    content = "\n".join(lines) or next(iter(evidence.values()))["title"][:CONTENT_CHARACTERS]
    return {**node, "search": search, "content": content, "sources": list(evidence), "status": "found"}
