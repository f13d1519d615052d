"""Decks of PowerPoint since 2007, read with python-pptx."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pptx
from pptx.exc import PythonPptxError

from backtrail.ingest.archive import BROKEN, Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.drafted import document_of
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.images import prettify
from backtrail.ingest.office.elements import new
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.page import drafts_of, meta_title
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.slides.slide import SlideReader
from backtrail.state.component import Locator

_BROKEN = (
    PythonPptxError, KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, OSError, EOFError,
    AssertionError, NotImplementedError, RecursionError, *BROKEN,
)  # fmt: skip
"""What damaged decks make python-pptx raise."""


def parse_slides(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one deck: a section per slide, hidden ones too. ``site_map`` knows what links may lead to.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no deck.
    """
    with Archive(path, "PowerPoint deck") as archive:
        try:
            deck = pptx.Presentation(str(path))
            slides = list(deck.slides)
        except _BROKEN as error:
            raise archive.damaged(error) from error
        drafts, titles, notes = _read(slides, FileLinks(document_id, site_map=site_map))
        title = meta_title(archive) or next((one for one in titles if one), "") or prettify(path.stem)
        return document_of(
            drafts,
            document_id=document_id,
            title=title,
            path=path,
            notes=notes,
            find=PartPictures(archive).find,
        )


def _read(slides: list[Any], targets: LinkTargets) -> tuple[list[Draft], list[str], list[str]]:
    """The drafts of all slides, their titles, and what was not read."""
    numbers = {str(slide.part.partname): number for number, slide in enumerate(slides, start=1)}
    drafts: list[Draft] = []
    titles: list[str] = []
    notes: list[str] = []
    for number, slide in enumerate(slides, start=1):
        body = new("body")
        found: list[Draft] = []
        try:
            reader = SlideReader(slide, numbers)
            titles.append(reader.title)
            section = reader.title or f"Slide {number}"
            try:
                reader.read(body)
            finally:
                found = [dataclasses.replace(one, section=section) for one in drafts_of(body, "", targets)]
            if reader.title and not any(one.text for one in found):
                found.insert(0, Draft(section, text=reader.title))
            said = drafts_of(reader.notes(), "", targets)
            found += [dataclasses.replace(one, section=f"{section} > Speaker notes") for one in said]
            found += [Draft(f"{section} > Comments", text=one) for one in reader.comments()]
        except _BROKEN as error:
            problem = f"slide {number} is damaged and was not read to its end"
            notes.append(f"{problem} ({type(error).__name__}: {error})"[:200])
        for draft in found:
            draft.locator = Locator(slide=number)
        if found:
            found[0].ids.insert(0, f"slide-{number}")
        drafts += found
    return drafts, titles, notes
