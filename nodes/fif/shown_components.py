"""Components that the fused decision is shown: marked ones, what the last step found, and a ledger of earlier marks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.nodes.gather_components import GATHERED_CHARACTERS
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.select_pieces import piece_scores
from backtrail.nodes.reading.component_views import clip, component_text, only_shown, whole_text
from backtrail.nodes.reading.fit_prompt_budget import fit_prompt_budget
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.computation import numbers_of
from backtrail.state.evidence import Evidence
from backtrail.state.gathering import Gathering
from backtrail.state.hop import Hop

SIGHT_CHARACTERS = 12_000
"""Characters of the components that one decision reads, about 3,000 tokens (ours)."""
MARKED_SHOWN = 8
LEDGER_LINES = 40
"""Rows and sentences of marked components beyond those that are shown (ours)."""
LEDGER_CHARACTERS = 200


@dataclass(frozen=True)
class Found:
    """What is to be shown: components, those of the ``ledger`` by a line each, and what the last step gathered."""

    components: Mapping[str, Component]
    documents: Mapping[str, Document]
    evidence: Mapping[str, Evidence]
    ledger: Sequence[str]
    gathered: Gathering | None
    hops: Sequence[Hop]


def just_gathered(hops: Sequence[Hop]) -> Gathering | None:
    """Return what the last step gathered, if it is a gathering that found something."""
    last = hops[-1].get("gathering") if hops else None
    return last if last and last["pieces"] else None


def pieces_of(gathering: Gathering | None) -> list[str]:
    """Return the components of a gathering."""
    return [one["component"] for one in gathering["pieces"]] if gathering else []


def shown_texts(covering: Covering, found: Found) -> dict[str, EvidenceText]:
    """Return the texts in order: gathered pieces exactly, the others within what they leave of the budget.

    A line of the ledger is what a gathering read of a component, else the piece that covers the text best.
    """
    last, documents = found.gathered, found.documents
    exact = _numbers([last]) if last and last["request"]["kind"] != "documents" else {}
    fitted = {key: one for key, one in found.components.items() if key not in exact and key not in found.ledger}
    left = SIGHT_CHARACTERS - (GATHERED_CHARACTERS if exact else 0)
    texts = fit_prompt_budget(covering, fitted, documents, found.evidence, left, fewer=True)
    whole = {key: found.components[key] for key in exact if key in found.components}
    texts |= {
        key: only_shown(whole_text(one, documents.get(one.document), 1.0), exact[key]) for key, one in whole.items()
    }
    lines, before = LEDGER_LINES, _numbers([hop["gathering"] for hop in found.hops if "gathering" in hop])
    for key in [*found.ledger, *(key for key in fitted if key not in texts)]:  # what had no room keeps a line, too
        if key not in found.components or lines <= 0:
            continue
        texts[key] = _line(covering, found.components[key], documents, before.get(key, [])[:lines])
        lines -= len(texts[key].shown or [])
    return {key: texts[key] for key in found.components if key in texts}


def _numbers(gatherings: Sequence[Gathering]) -> dict[str, list[int]]:
    return {one["component"]: numbers_of(one) for gathering in gatherings for one in gathering["pieces"]}


def _line(
    covering: Covering, component: Component, documents: Mapping[str, Document], numbers: Sequence[int]
) -> EvidenceText:
    text = whole_text(component, documents.get(component.document), 0.0)
    scores = piece_scores(covering, component, text)
    if not numbers and scores:
        numbers = [max(range(len(scores)), key=lambda number: scores[number])]
    short = {
        "sentences": [clip(one, LEDGER_CHARACTERS) for one in text.sentences],
        "rows": [[clip(cell, LEDGER_CHARACTERS // max(len(row), 1)) for cell in row] for row in text.rows],
    }
    return only_shown(text.model_copy(update=short), numbers)


def without_bare_pictures(
    components: dict[str, Component], documents: Mapping[str, Document], kept_always: Collection[str], attached: int
) -> dict[str, Component]:
    """Drop pictures that are not attached and have no words but the title of their page."""
    kept: dict[str, Component] = {}
    for key, component in components.items():
        if component.image is not None and key not in kept_always:
            shown, attached = attached > 0 and bool(component.image.blob), attached - bool(component.image.blob)
            title = documents[component.document].title if component.document in documents else ""
            if not shown and content_terms(component_text(component)) <= content_terms(title):
                continue
        kept[key] = component
    return kept or components
