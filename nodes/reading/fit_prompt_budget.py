"""Fit of components into the character budget of a prompt, most relevant pieces first."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.linking_pieces import leading
from backtrail.nodes.graph_traversal.select_pieces import Fitted, fitting, whole_paragraphs
from backtrail.nodes.reading.component_views import whole_text
from backtrail.state.answer_decisions import EvidenceText, LedFrom
from backtrail.state.component import Component, Document
from backtrail.state.evidence import Evidence

READ_CHARACTERS = 14_000
"""Characters of components that a model reads at once, about 3,500 tokens (ours)."""


def fit_prompt_budget(
    covering: Covering,
    components: Mapping[str, Component],
    documents: Mapping[str, Document],
    evidence: Mapping[str, Evidence],
    characters: int,
    scores: Mapping[str, float] | None = None,
    *,
    fewer: bool = False,
) -> dict[str, EvidenceText]:
    """Return each component with its shown rows or sentences, in order. Reads the corpus (blocking).

    Args:
        covering: of the text that pieces are selected by.
        evidence: the records of the components, for names that led to them.
        scores: of a ranking.
        fewer: drop the last components rather than cut short paragraphs.
    """
    covering.learn_titles(component.document for component in components.values())
    texts = {
        key: whole_text(component, documents.get(component.document), (scores or {}).get(key, 0.0))
        for key, component in components.items()
    }
    if fewer:
        texts = {key: texts[key] for key in whole_paragraphs(texts, characters)}
        components = {key: components[key] for key in texts}
    led = leading(covering, components, evidence)
    places = [(one.component, _number(one)) for leads in led.values() for one in leads]
    leads = {(component, number) for component, number in places if number is not None}
    shown = fitting(covering, components, texts, characters, leads)
    fitted: dict[str, EvidenceText] = {}
    listed: set[tuple[str, str, int | None]] = set()
    for key, text in texts.items():
        linked_from: list[LedFrom] = []
        for one in led.get(key, []):
            # A link leads to a document: the first of its components lists it. Shown pieces are not repeated.
            place = (components[key].document, one.component, _number(one))
            if place not in listed:
                listed.add(place)
                seen = one.component in texts and _is_shown(shown[one.component], _number(one))
                linked_from.append(one.model_copy(update={"text": ""}) if seen else one)
        found = evidence.get(key)
        parent = found.get("parent") if found else None
        update: dict[str, object] = {
            "shown": shown[key].shown, "left_out": shown[key].left_out, "linked_from": linked_from
        }  # fmt: skip
        if found and parent in components:
            update |= {"parent": parent, "parent_row": found.get("parent_row")}
        fitted[key] = text.model_copy(update=update)
    return fitted


def _number(lead: LedFrom) -> int | None:
    return lead.row if lead.row is not None else lead.sentence


def _is_shown(fitted: Fitted, number: int | None) -> bool:
    return number is not None and (fitted.shown is None or number in fitted.shown)
