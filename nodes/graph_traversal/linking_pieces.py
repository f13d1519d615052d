"""Rows and sentences of shown components that link to another shown component.

A row and the page of its cell often answer together. The same list is in every prompt that shows the components.
"""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.language.sentences import split_sentences
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.link_context import piece_text
from backtrail.nodes.graph_traversal.memory_edges import led_to
from backtrail.nodes.graph_traversal.paths import path_of
from backtrail.nodes.reading.component_views import clip
from backtrail.state.answer_decisions import LedFrom
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.path import Path

MOST_LEADS = 3
LEAD_CHARACTERS = 240


def leading(
    covering: Covering, components: Mapping[str, Component], evidence: Mapping[str, Evidence]
) -> dict[str, list[LedFrom]]:
    """Return the best ``MOST_LEADS`` pieces that lead to each component, best first.

    Pieces are ranked by their joint coverage with the target. A name that a hop followed counts as a link; its
    component need not be shown. Reads the corpus (blocking).
    """
    by_document: dict[str, list[str]] = {}
    for key, component in components.items():
        by_document.setdefault(component.document, []).append(key)
    links, pointers = covering.corpus.links(list(components)), covering.corpus.pointers(list(components))
    found: dict[str, dict[tuple[str, int | None, int | None], tuple[float, LedFrom]]] = {}
    for parent in components.values():
        for link in links.get(parent.id, []):
            for child in led_to(link, by_document):
                if child in components:
                    _keep(found.setdefault(child, {}), covering, parent, path_of(parent.id, link), components[child])
        for link in pointers.get(parent.id, []):
            child = components.get(link.component or "")
            if child is not None:
                _keep(found.setdefault(child.id, {}), covering, parent, path_of(parent.id, link), child)
    for child, record in evidence.items():
        named = record.get("parent")
        if child in components and named and not record.get("linked", True) and child not in found:
            parents = covering.corpus.components([named])
            path: Path = {"parent": named, "row": record.get("parent_row"), "anchor": "", "mention": True}
            for parent in parents.values():
                _keep(found.setdefault(child, {}), covering, parent, path, components[child])
    return {
        child: [lead for _, lead in sorted(leads.values(), key=lambda pair: -pair[0])][:MOST_LEADS]
        for child, leads in found.items()
    }


def _keep(
    leads: dict[tuple[str, int | None, int | None], tuple[float, LedFrom]],
    covering: Covering,
    parent: Component,
    path: Path,
    child: Component,
) -> None:
    row = path["row"]
    sentence = _sentence(parent, path["anchor"]) if row is None and parent.text else None
    place = (parent.id, row, sentence)
    if place in leads:
        return
    text = clip(" ".join(piece_text(parent, path).split()), LEAD_CHARACTERS)
    lead = LedFrom(component=parent.id, row=row, sentence=sentence, text=text, words=clip(path["anchor"], 80))
    leads[place] = (covering.along(parent, path, child), lead)


def _sentence(component: Component, anchor: str) -> int | None:
    """Return the first sentence with the words of the link."""
    sentences = split_sentences(component.text or "")
    return next((number for number, sentence in enumerate(sentences) if anchor and anchor in sentence), None)
