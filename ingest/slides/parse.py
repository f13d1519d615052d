"""Parser of PowerPoint decks (.pptx), on python-pptx."""

from __future__ import annotations

from pathlib import Path

import pptx
from pptx.exc import PythonPptxError

from backtrail.ingest.archive import BROKEN, Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.office.deck import document_of_deck, slide_drafts
from backtrail.ingest.office.elements import new
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.slides.slide import SlideReader

_BROKEN = (
    PythonPptxError, KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, OSError, EOFError,
    AssertionError, NotImplementedError, RecursionError, *BROKEN,
)  # fmt: skip
"""Errors of python-pptx on damaged decks."""


def parse_slides(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one deck, hidden slides too; ``site_map`` has the files of the ingested folder for its links.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or not a deck.
    """
    with Archive(path, "PowerPoint deck") as archive:
        try:
            slides = list(pptx.Presentation(str(path)).slides)
        except _BROKEN as error:
            raise archive.damaged(error) from error
        numbers = {str(slide.part.partname): number for number, slide in enumerate(slides, start=1)}
        targets = FileLinks(document_id, site_map=site_map)
        drafts: list[Draft] = []
        titles: list[str] = []
        notes: list[str] = []
        for number, slide in enumerate(slides, start=1):
            shown, spoken, title = new("body"), new("body"), ""
            try:
                reader = SlideReader(slide, numbers)
                title = reader.title
                reader.read(shown)
                reader.read_notes(spoken)
            except _BROKEN as error:
                problem = f"slide {number} is damaged and was not read to its end"
                notes.append(f"{problem} ({type(error).__name__}: {error})"[:200])
            titles.append(title)
            drafts += slide_drafts(number, title, shown, spoken, targets)
        return document_of_deck(drafts, titles, archive, document_id, notes)
