"""Presentations of OpenDocument (.odp): a section per slide, with its tables, pictures, charts and speaker notes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.drafted import document_of
from backtrail.ingest.html.text import normalise
from backtrail.ingest.images import prettify
from backtrail.ingest.office.elements import new
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.page import drafts_of, meta_title
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.opendocument.blocks import BlockReader
from backtrail.ingest.opendocument.names import DRAW, PRESENTATION, SVG, TEXT, content_of
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.state.component import Locator

_FURNITURE = frozenset({"title", "date-time", "footer", "header", "page-number"})
_LENGTH = re.compile(r"^(-?\d{1,7}(?:\.\d{1,9})?)(cm|mm|in|pt|px)?$")
_POINTS = {"cm": 28.35, "mm": 2.835, "in": 72.0, "pt": 1.0, "px": 0.75}


def parse_odp(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one presentation. ``site_map`` knows what links may lead to.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no presentation of OpenDocument.
    """
    with Archive(path, "OpenDocument presentation") as archive:
        content, parts = content_of(archive, "presentation")
        reader = BlockReader(archive, parts)
        targets = FileLinks(document_id, site_map=site_map)
        drafts: list[Draft] = []
        titles: list[str] = []
        for number, slide in enumerate(content.iterfind(f"{DRAW}page"), start=1):
            titles.append(_title(slide))
            drafts += _slide(slide, number, titles[-1], reader, targets)
        title = meta_title(archive) or next(filter(None, titles), "") or prettify(path.stem)
        notes = list(dict.fromkeys(reader.notes))
        find = PartPictures(archive).find
        return document_of(drafts, document_id=document_id, title=title, path=path, notes=notes, find=find)


def _title(slide: Any) -> str:
    frames = (one for one in slide.iter(f"{DRAW}frame") if one.get(f"{PRESENTATION}class") == "title")
    said = (" ".join("".join(one.itertext()) for one in frame.iter(f"{TEXT}p")) for frame in frames)
    return next(filter(None, map(normalise, said)), "")


def _slide(slide: Any, number: int, title: str, reader: BlockReader, targets: FileLinks) -> list[Draft]:
    """The drafts of a slide; the first one goes by the slide's names."""
    section = title or f"Slide {number}"
    shapes = [one for one in slide if one.tag.startswith(DRAW) and one.get(f"{PRESENTATION}class") not in _FURNITURE]
    drafts = _read(sorted(shapes, key=_place), section, reader, targets)
    if title and not any(draft.text for draft in drafts):
        drafts.insert(0, Draft(section, text=title))
    frames = slide.iterfind(f"{PRESENTATION}notes/{DRAW}frame")
    spoken = [one for one in frames if one.get(f"{PRESENTATION}class") == "notes"]
    drafts += _read(spoken, f"{section} > Speaker notes", reader, targets)
    drafts += [Draft(f"{section} > Comments", text=f"{author}: {words}") for author, words in reader.comments]
    reader.comments.clear()
    for draft in drafts:
        draft.locator = Locator(slide=number)
    if drafts:
        drafts[0].ids[:0] = list(dict.fromkeys(filter(None, (f"slide-{number}", slide.get(f"{DRAW}name")))))
    return drafts


def _read(shapes: list[Any], section: str, reader: BlockReader, targets: FileLinks) -> list[Draft]:
    body = new("body")
    for shape in shapes:
        reader.read([shape], body)
    drafts = drafts_of(body, "", targets)
    for draft in drafts:
        draft.section = " > ".join(filter(None, (section, draft.section)))
    return drafts


def _place(shape: Any) -> tuple[float, float]:
    """Where a shape stands, from the top; those side by side from the left."""
    return round(_points(shape.get(f"{SVG}y")), -1), _points(shape.get(f"{SVG}x"))


def _points(length: str | None) -> float:
    found = _LENGTH.match(length or "")
    return float(found[1]) * _POINTS[found[2] or "pt"] if found else 0.0
