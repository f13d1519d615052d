"""Edges between the components in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.nodes.graph_traversal.paths import path_of
from backtrail.state.component import Component, Link
from backtrail.state.evidence import Evidence
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

Edges = list[tuple[str, Path, str]]


def led_to(link: Link, by_document: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the components that an edge leads to: all of the document, or the one with a shared name."""
    if link.kind == "name" and link.component is not None:
        return [link.component]
    return by_document.get(link.target, [])


def memory_edges(corpus: CorpusReader, components: dict[str, Component], evidence: dict[str, Evidence]) -> Edges:
    """Return edges between components in memory, followed mentions included: (parent, path, child).

    "See Table 3" leads to that table of its own document. A shared name only suggests where to search; its component
    has to fit alone.
    """
    by_document: dict[str, list[str]] = {}
    for key, component in components.items():
        by_document.setdefault(component.document, []).append(key)
    edges: Edges = []
    for parent, links in corpus.links(list(components)).items():
        for link in links:
            if link.kind == "name":
                continue
            path = path_of(parent, link)
            edges += [(parent, path, child) for child in led_to(link, by_document) if child in components]
    for parent, pointing in corpus.pointers(list(components)).items():
        for link in pointing:
            shown = components.get(link.component or "")
            if shown is not None and shown.modality != "text":  # a reference to a section may mean any part of it
                edges.append((parent, path_of(parent, link), shown.id))
    for child, found in evidence.items():
        parent = found.get("parent")
        pursued = not found.get("linked", True) and "edge" not in found
        if parent in components and child in components and pursued:
            edges.append(
                (parent, {"parent": parent, "row": found.get("parent_row"), "anchor": "", "mention": True}, child)
            )
    return edges
