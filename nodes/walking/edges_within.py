"""Edges between the components in memory."""

from __future__ import annotations

from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

Edges = list[tuple[str, Path, str]]


def edges_within(corpus: CorpusReader, components: dict[str, Component], evidence: dict[str, Evidence]) -> Edges:
    """Navigational edges between the components in memory: (parent, path, child). Mentions that a hop pursued count."""
    by_document: dict[str, list[str]] = {}
    for key, component in components.items():
        by_document.setdefault(component.document, []).append(key)
    edges: Edges = []
    for parent, links in corpus.links(list(components)).items():
        for link in links:
            path: Path = {"parent": parent, "row": link.row, "anchor": link.anchor}
            edges += [(parent, path, child) for child in by_document.get(link.target, [])]
    for child, found in evidence.items():
        parent = found.get("parent")
        if parent in components and child in components and not found.get("linked", True):
            edges.append(
                (parent, {"parent": parent, "row": found.get("parent_row"), "anchor": "", "mention": True}, child)
            )
    return edges
