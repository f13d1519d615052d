"""Extractive summaries of documents: title, beginning, contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backtrail.language.sentences import split_sentences
from backtrail.state.component import Component, Document

SUMMARY_CHARACTERS = 400
_LEAD_CHARACTERS = 240
_TABLES = 3
_SCANNED = 4000
"""Characters of a text that are searched for its first sentences."""


def summarize(document: Document, components: Sequence[Component], description: str = "") -> str:
    """Summarise in at most 400 characters: title, description or lead, table captions, section names.

    Never empty. ``description`` is the document's own description in its metadata.
    """
    summary = document.title.strip() or document.id
    for part in _parts(components, description):
        room = SUMMARY_CHARACTERS - len(summary) - 2
        if room < 20:
            break
        join = " " if summary[-1] in ".!?。:" else ". "
        summary += join + _cut(part, room)
    return summary[:SUMMARY_CHARACTERS]


def _parts(components: Sequence[Component], description: str) -> Iterator[str]:
    lead = _first_sentences(description) or _lead(components)
    if lead:
        yield lead
    captions = [c.table.caption for c in components if c.table is not None and c.table.caption]
    captions = list(dict.fromkeys(captions))[:_TABLES]
    if captions:
        yield f"Tables: {'; '.join(captions)}."
    sections = list(dict.fromkeys(c.section.partition(" > ")[0] for c in components if c.section))
    if sections:
        yield f"Sections: {'; '.join(sections)}."


def _lead(components: Sequence[Component]) -> str:
    """Return the first sentences of the first text; without text, the description of the first picture."""
    text = next((one.text for one in components if one.text and one.text.strip()), "")
    if text:
        return _first_sentences(text)
    for component in components:
        if component.image is not None:
            description = component.image.caption or component.image.alt or component.image.recognized
            if description:
                return _cut(" ".join(description.split()), _LEAD_CHARACTERS)
    return ""


def _first_sentences(text: str) -> str:
    lead = ""
    for sentence in split_sentences(text[:_SCANNED]):
        sentence = " ".join(sentence.split())
        if lead and len(lead) + len(sentence) + 1 > _LEAD_CHARACTERS:
            break
        lead = f"{lead} {sentence}".strip()
        if len(lead) > _LEAD_CHARACTERS:
            break
    return _cut(lead, _LEAD_CHARACTERS)


def _cut(text: str, limit: int) -> str:
    """Shorten a text to whole words with an ellipsis."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 1].rpartition(" ")[0] or text[: limit - 1]
    return kept.rstrip(" ,;:") + "…"
