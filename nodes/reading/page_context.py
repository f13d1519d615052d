"""Add other components of the evidence's pages, for rules to quote.

A search that finds the page often misses the paragraph: the lead-in of a list is found in place of the list, the
text under a table in place of the table. Rules answer from what was found; they may quote what stands beside it.
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
"""Pages of the evidence, the best first, that are looked through."""
COMPONENTS = 60
"""Components of them that are offered: those next to the evidence, then those nearest by meaning."""
NEXT = 2
"""Places in reading order within which a component stands next to one of the evidence."""


@dataclass(frozen=True)
class PageContext:
    """Components that stand beside the evidence, as texts, with what a citation of them needs.

    ``evidence``: that itself, with where it stands in its documents.
    """

    evidence: Sequence[EvidenceText]
    texts: list[EvidenceText] = field(default_factory=list[EvidenceText])
    components: dict[str, Component] = field(default_factory=dict[str, Component])
    documents: dict[str, Document] = field(default_factory=dict[str, Document])


def add_page_context(
    toolbox: Toolbox, settings: Settings, role: Role, question: str, texts: Sequence[EvidenceText]
) -> PageContext:
    """Components of the best pages that are no evidence; none where a model reads. Reads the corpus (blocking)."""
    read = [text.id for text in texts if not is_web(text.id)]
    if not read or not question.strip() or not isinstance(toolbox.decider(role, settings), OfflineDecider):
        return PageContext(texts)
    corpus = toolbox.corpus(settings)
    held = corpus.components(read)
    documents = list(dict.fromkeys(held[key].document for key in read if key in held))
    listed = corpus.children(documents)
    order = {key: place for document in documents for place, key in enumerate(listed.get(document, []))}
    placed = [
        text.model_copy(update={"page": held[text.id].document, "order": order.get(text.id)})
        if text.id in held
        else text
        for text in texts
    ]
    near = _distances([listed.get(document, []) for document in documents[:PAGES]], held)
    if not near:
        return PageContext(placed)
    keys = list(near)
    likeness = corpus.vectors(keys, "component") @ corpus.embed([question])[0]
    alike = dict(zip(keys, likeness.tolist(), strict=True))
    chosen = sorted(keys, key=lambda key: (near[key] > NEXT, -alike[key], key))[:COMPONENTS]
    components = corpus.components(chosen)
    chosen = _new(corpus, held, components, [key for key in chosen if key in components])
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
    corpus: CorpusReader, held: dict[str, Component], components: dict[str, Component], chosen: list[str]
) -> list[str]:
    """Those that say something that the evidence and those before do not. A short text may mean another thing here."""
    every = {**held, **components}
    kept = deduplicate_components(every, [*held, *chosen], titles=titles_in_boilerplate(corpus, every.values()))
    return [key for key in chosen if key in kept or len((components[key].text or "").split()) < LEAST_WORDS]


def _distances(pages: Sequence[Sequence[str]], held: Collection[str]) -> dict[str, int]:
    """How many places each component that is not held stands from the next one that is."""
    near: dict[str, int] = {}
    for listed in pages:
        found = [place for place, key in enumerate(listed) if key in held]
        for place, key in enumerate(listed):
            if key not in held:
                near[key] = min(abs(place - other) for other in found) if found else len(listed)
    return near
