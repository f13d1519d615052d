"""Parsers of OpenDocument texts (.odt) and presentations (.odp)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.deck import document_of_deck, slide_drafts
from backtrail.ingest.office.elements import new
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.page import add_notes, document_of_text, title_of_text
from backtrail.ingest.opendocument.blocks import BlockReader
from backtrail.ingest.opendocument.names import DRAW, PRESENTATION, TEXT, content_of
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap

_FURNITURE = frozenset({"title", "date-time", "footer", "header", "page-number"})
_CLASS = f"{PRESENTATION}class"


def parse_odt(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one text; ``site_map`` has the files of the ingested folder for its links.

    Tracked deletions are dropped. Footnotes and endnotes are sections at the end. Comments, page headers and footers
    are not read; macros are never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or not an OpenDocument text.
    """
    with Archive(path, "OpenDocument text") as archive:
        content, parts = content_of(archive, "text")
        reader = BlockReader(archive, parts)
        reader.deletions = len(list(content.iter(f"{TEXT}deletion")))
        body = new("body")
        reader.read(content, body)
        title = title_of_text(body, reader, archive)
        for kind in ("footnote", "endnote"):
            called = [(n, note.iter(f"{TEXT}p")) for (of, note), n in reader.called.items() if of == kind]
            add_notes(body, f"{kind}s", called, reader)
        return document_of_text(body, title, reader, archive, document_id, site_map)


def parse_odp(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one presentation; ``site_map`` has the files of the ingested folder for its links.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or not an OpenDocument presentation.
    """
    with Archive(path, "OpenDocument presentation") as archive:
        content, parts = content_of(archive, "presentation")
        reader = BlockReader(archive, parts)
        targets = FileLinks(document_id, site_map=site_map)
        drafts: list[Draft] = []
        titles: list[str] = []
        for number, slide in enumerate(content.iterfind(f"{DRAW}page"), start=1):
            titles.append(_title(slide))
            shown, spoken = new("body"), new("body")
            reader.read([one for one in slide if one.tag.startswith(DRAW) and one.get(_CLASS) not in _FURNITURE], shown)
            frames = slide.iterfind(f"{PRESENTATION}notes/{DRAW}frame")
            reader.read([one for one in frames if one.get(_CLASS) == "notes"], spoken)
            found = slide_drafts(number, titles[-1], shown, spoken, targets)
            for draft in found[:1]:
                draft.ids.append(slide.get(f"{DRAW}name") or f"slide-{number}")
            drafts += found
        return document_of_deck(drafts, titles, archive, document_id, reader.notes)


def _title(slide: Any) -> str:
    frames = (one for one in slide.iter(f"{DRAW}frame") if one.get(_CLASS) == "title")
    texts = (" ".join("".join(one.itertext()) for one in frame.iter(f"{TEXT}p")) for frame in frames)
    return next(filter(None, map(normalise, texts)), "")
