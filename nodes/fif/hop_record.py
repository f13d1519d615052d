"""Record of a hop: its components as evidence, and its entry in the history."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backtrail.nodes.fif.select import linking
from backtrail.nodes.graph_traversal.relevance_features import Measure, Measured
from backtrail.nodes.reading.component_views import locator, snippet
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.fif.memory import HopInProgress
from backtrail.state.hop import Hop, Scored, hop_record
from backtrail.state.path import EdgeKind, Path
from backtrail.tools.corpus.protocol import CorpusReader

# Bounded, because every step rewrites the history; all components are in the evidence.
RECORDED = 8


@dataclass(frozen=True)
class FoundByHop:
    """The components of a hop that the corpus still has, with their fit to its subtask.

    ``duplicates``: components with the same content that were dropped from the ranking, by the kept one.
    """

    components: dict[str, Component]
    measure: Measure
    measured: dict[str, Measured]
    parents: dict[str, tuple[Component, Path]]
    duplicates: dict[str, list[str]]

    def evidence(self, step: int, query: str) -> dict[str, Evidence]:
        """Return the evidence records of the components."""
        best = {key: self.measure.covering.best_rows(component) for key, component in self.components.items()}
        found: dict[str, Evidence] = {}
        for key, component in self.components.items():
            fit = self.measured[key]
            evidence: Evidence = {
                "component": key,
                "modality": component.modality,
                "document": component.document,
                "title": self.measure.covering.title(component),
                "snippet": snippet(component, min(best[key]) if best[key] else None),
                "locator": locator(component),
                "score": round(fit.path_coverage + 0.5 * fit.similarity, 4),
                "coverage": round(fit.path_coverage, 4),
                "hop": step,
                "query": query,
            }
            if key in self.parents:
                parent, path = self.parents[key]
                evidence["parent"], evidence["parent_row"] = parent.id, path["row"]
                evidence["linked"] = not path.get("mention", False)
                if "kind" in path:
                    evidence["edge"] = path["kind"]
            if key in self.duplicates:
                evidence["duplicates"] = self.duplicates[key]
            found[key] = evidence
        return found


def found_by(corpus: CorpusReader, hop: HopInProgress, words: bool) -> FoundByHop:
    """Collect the results of a hop; with ``words`` sections are measured too. Reads the corpus (blocking)."""
    ids = [scored["id"] for scored in hop["components"]]
    components = corpus.components(ids)
    parents = linking(corpus, components, hop["parents"])
    measure = Measure(corpus, hop["route"]["subquery"], words=words)
    duplicates = {scored["id"]: others for scored in hop["components"] if (others := scored.get("duplicates"))}
    return FoundByHop(components, measure, measure.components(components, parents), parents, duplicates)


def with_components(
    corpus: CorpusReader, record: Hop, ids: Sequence[str], words: bool
) -> tuple[Hop, dict[str, Evidence]]:
    """Return the record of an action with the components that it read, and these as evidence.

    Reads the corpus (blocking).
    """
    components: list[Scored] = [{"id": key, "score": 1.0} for key in ids]
    hop: HopInProgress = {
        "route": {
            "step": record["step"], "subquery_id": None, "subquery": record["subquery"], "anchor_step": None,
            "anchors": [], "strategy": {"scope": "global", "granularity": "component", "reasoning": "none"},
            "why": record["why"],
        },
        "documents": [], "components": components, "parents": {},
    }  # fmt: skip
    found = found_by(corpus, hop, words)
    documents = dict.fromkeys(component.document for component in found.components.values())
    reached: list[Scored] = [{"id": document, "score": 1.0} for document in documents]
    return {**record, "documents": reached, "components": components[:RECORDED]}, found.evidence(record["step"], "")


def judged(
    hop: HopInProgress,
    known: Mapping[str, Evidence],
    success: bool,
    relevant: Collection[str],
    reason: str,
    resolved: list[str],
) -> Hop:
    """Return the hop's record. One that adds nothing to the evidence has failed, whatever the judgement."""
    components = hop["components"]
    new = any(scored["id"] not in known for scored in components)
    idle = success and not new and not resolved
    first = [scored for scored in components if scored["id"] in relevant]
    others = [scored for scored in components if scored["id"] not in relevant]
    record = hop_record(
        hop["route"],
        "success" if success and not idle else "failure",
        "Nothing new was found." if idle else reason,
        hop["documents"],
        (first + others)[:RECORDED],
        resolved,
    )
    edges = _edges(hop)
    return {**record, "edges": edges} if edges.keys() - {"link"} else record


def _edges(hop: HopInProgress) -> dict[EdgeKind, int]:
    """Count the hop's documents by the kind of edge that led to them."""
    kinds: list[EdgeKind] = [
        path.get("kind", "link") for path in hop["parents"].values() if "kind" in path or "mention" not in path
    ]
    counted: dict[EdgeKind, int] = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    return counted
