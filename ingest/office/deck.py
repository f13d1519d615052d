"""Drafts of slides of any format: a section per slide, with its content and speaker notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.images import prettify
from backtrail.ingest.office.page import drafts_of, meta_title
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Locator


def slide_drafts(number: int, title: str, shown: Any, spoken: Any, targets: LinkTargets) -> list[Draft]:
    """Return the drafts of a slide; the first has the id ``slide-<number>``.

    Args:
        shown, spoken: its content and its speaker notes, as HTML elements.
    """
    section = title or f"Slide {number}"
    drafts = drafts_of(shown, "", targets)
    if title and not any(draft.text for draft in drafts):  # off: 17 of 65 decks have slides without text
        drafts.insert(0, Draft("", text=title))
    for of, found in ((section, drafts), (f"{section} > Speaker notes", drafts_of(spoken, "", targets))):
        for draft in found:
            draft.section = f"{of} > {draft.section}" if draft.section else of
        drafts = found if found is drafts else drafts + found
    for draft in drafts:
        draft.locator = Locator(slide=number)
    if drafts:
        drafts[0].ids.insert(0, f"slide-{number}")
    return drafts


def document_of_deck(
    drafts: list[Draft], titles: Sequence[str], archive: Archive, document_id: str, notes: Sequence[str]
) -> ParsedDocument:
    """Return the document of a deck; its title is that of its properties or its first slide title."""
    title = meta_title(archive) or next(filter(None, titles), "") or prettify(archive.path.stem)
    find, notes = PartPictures(archive).find, list(dict.fromkeys(notes))
    return document_of(drafts, document_id=document_id, title=title, path=archive.path, notes=notes, find=find)
