"""Other components of the evidence's pages, for rules to quote.

A search that finds the page often misses the passage: it finds the lead-in and not the list, the table and not the text
under it. Rules answer from the evidence; they may quote its neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from backtrail.nodes.graph_traversal.deduplicate import LEAST_WORDS, deduplicate_components, titles_in_boilerplate
from backtrail.nodes.reading.component_views import RULES_CHARACTERS, evidence_text
from backtrail.nodes.reading.piece_similarity import with_piece_similarity
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.decision import Role
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.shelf import is_web

PAGES = 5
"""Most pages of the evidence to search, best first."""
COMPONENTS = 60
"""Most of their components to offer: neighbours of the evidence, then the nearest by vector."""
NEXT = 2
"""Distance in reading order up to which a component is a neighbour of the evidence."""


@dataclass(frozen=True)
class PageContext:
    """Components beside the evidence, as texts, with the data for citing them.

    ``evidence``: the evidence with its positions in its documents.
    """

    evidence: Sequence[EvidenceText]
    texts: list[EvidenceText] = field(default_factory=list[EvidenceText])
    components: dict[str, Component] = field(default_factory=dict[str, Component])
    documents: dict[str, Document] = field(default_factory=dict[str, Document])


def add_page_context(
    toolbox: Toolbox, settings: Settings, role: Role, question: str, texts: Sequence[EvidenceText]
) -> PageContext:
    """Return other components of the best pages, for rules only. Reads the corpus (blocking)."""
    read = [text.id for text in texts if not is_web(text.id)]
    if not read or not question.strip() or not isinstance(toolbox.decider(role, settings), OfflineDecider):
        return PageContext(texts)
    corpus = toolbox.corpus(settings)
    found = corpus.components(read)
    documents = list(dict.fromkeys(found[key].document for key in read if key in found))
    listed = corpus.children(documents)
    order = {key: place for document in documents for place, key in enumerate(listed.get(document, []))}
    placed = [
        text.model_copy(update={"page": found[text.id].document, "order": order.get(text.id)})
        if text.id in found
        else text
        for text in texts
    ]
    near = _distances([listed.get(document, []) for document in documents[:PAGES]], found)
    if not near:
        return PageContext(placed)
    keys = list(near)
    likeness = corpus.vectors(keys, "component") @ corpus.embed([question])[0]
    alike = dict(zip(keys, likeness.tolist(), strict=True))
    chosen = sorted(keys, key=lambda key: (near[key] > NEXT, -alike[key], key))[:COMPONENTS]
    components = corpus.components(chosen)
    chosen = _new(corpus, found, components, [key for key in chosen if key in components])
    pages = corpus.documents(documents[:PAGES])
    taken = [
        evidence_text(one, pages.get(one.document), 0.0, characters=RULES_CHARACTERS).model_copy(
            update={"page": one.document, "order": order[key]}
        )
        for key in chosen
        for one in [components[key]]
    ]
    shown = {key: components[key] for key in chosen}
    return PageContext(placed, with_piece_similarity(toolbox, settings, role, question, taken), shown, pages)


def _new(
    corpus: CorpusReader, found: dict[str, Component], components: dict[str, Component], chosen: list[str]
) -> list[str]:
    """Drop components that repeat evidence or earlier ones; short texts stay, as their context matters."""
    every = {**found, **components}
    kept = deduplicate_components(every, [*found, *chosen], titles=titles_in_boilerplate(corpus, every.values()))
    return [key for key in chosen if key in kept or len((components[key].text or "").split()) < LEAST_WORDS]


def _distances(pages: Sequence[Sequence[str]], found_ids: Collection[str]) -> dict[str, int]:
    """Return the distance of each other component to the nearest one of the evidence."""
    near: dict[str, int] = {}
    for listed in pages:
        found = [place for place, key in enumerate(listed) if key in found_ids]
        for place, key in enumerate(listed):
            if key not in found_ids:
                near[key] = min(abs(place - other) for other in found) if found else len(listed)
    return near
