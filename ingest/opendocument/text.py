"""Texts of OpenDocument (.odt): headings, lists, tables, pictures, charts, formulas, notes, comments, links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.drafted import document_of
from backtrail.ingest.html.text import normalise
from backtrail.ingest.html.walk import PageWalker
from backtrail.ingest.images import prettify
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.opendocument.blocks import BlockReader
from backtrail.ingest.opendocument.inline import text_of
from backtrail.ingest.opendocument.names import OFFICE, STYLE, TEXT
from backtrail.ingest.opendocument.package import content_of, meta_title
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.title_line import title_on_top
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.word.captions import join_captions
from backtrail.ingest.word.elements import add_text, child, new, says

_NOTES = (("footnote", "Footnotes"), ("endnote", "Endnotes"))


def parse_odt(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one text; ``site_map`` knows the files of the ingested folder, to which its links may lead.

    Text that is marked as deleted counts as gone. Notes, comments, and what page headers and footers say stand at the
    end, in sections of their own. Macros are never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no text of OpenDocument.
    """
    with Archive(path, "OpenDocument text") as archive:
        content, styles, margins = content_of(archive, "text")
        named = (one.get(f"{TEXT}style-name") or "" for one in content.iter(f"{TEXT}p"))
        styled = next(content.iter(f"{TEXT}h"), None) is not None or any(map(styles.heading, named))
        reader = BlockReader(archive, styles, styled=styled)
        body = new("body")
        reader.read(content, body)
        _add_notes(reader, body)
        _add_rest(body, "Comments", reader.inline.comments)
        _add_rest(body, "Page headers and footers", _margins(margins))
        join_captions(body)
        title = reader.title or meta_title(archive) or _only_heading(body) or title_on_top(body) or prettify(path.stem)
        drafts = PageWalker(title, FileLinks(document_id, site_map=site_map)).walk(body)
        notes = list(dict.fromkeys(reader.notes))
        deleted = len(list(content.iter(f"{TEXT}deletion")))
        if deleted:
            notes.append(f"{deleted} passages that are marked as deleted were left out")
        find = PartPictures(archive).find
        return document_of(drafts, document_id=document_id, title=title, path=path, notes=notes, find=find)


def _add_notes(reader: BlockReader, body: Any) -> None:
    """Footnotes and endnotes, each a paragraph that links to it lead to."""
    for kind, heading in _NOTES:
        numbered = [(number, note) for number, (of, note) in enumerate(reader.inline.notes, 1) if of == kind]
        if numbered:
            add_text(child(body, "h1"), heading)
        for number, note in numbered:
            held = child(body, "p", id=f"note-{number}")
            add_text(held, f"[{number}] ")
            for paragraph in note.iter(f"{TEXT}p"):
                reader.inline.read(paragraph, held)
                add_text(held, " ")
    reader.inline.shapes.clear()


def _add_rest(body: Any, heading: str, lines: list[str]) -> None:
    if lines:
        add_text(child(body, "h1"), heading)
    for line in lines:
        add_text(child(body, "p"), line)


def _margins(styles: Any | None) -> list[str]:
    """What page headers and footers say, each line once; page numbers are nothing to say."""
    if styles is None:
        return []
    margins = styles.iterfind(f"{OFFICE}master-styles/{STYLE}master-page/*")
    lines = [text_of(one) for margin in margins for one in margin.iter(f"{TEXT}p", f"{TEXT}h")]
    return list(dict.fromkeys(line for line in map(normalise, lines) if re.search(r"[^\W\d]{3}", line)))


def _only_heading(body: Any) -> str:
    """A first-level heading on top that is the only one: a title in all but style."""
    headings = body.findall("h1")
    return normalise(says(headings[0])) if len(headings) == 1 and headings[0].getprevious() is None else ""
