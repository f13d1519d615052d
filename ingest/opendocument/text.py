"""Texts of OpenDocument (.odt): headings, lists, tables, pictures, charts, formulas, notes, comments, links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.drafted import document_of
from backtrail.ingest.html.text import normalise
from backtrail.ingest.images import prettify
from backtrail.ingest.office.elements import add_text, child, new, says
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.page import add_lines, drafts_of, only_heading
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.opendocument.blocks import BlockReader
from backtrail.ingest.opendocument.names import OFFICE, STYLE, TEXT
from backtrail.ingest.opendocument.package import content_of, meta_title
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.title_line import title_on_top
from backtrail.ingest.sites.site_map import SiteMap


def parse_odt(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one text; ``site_map`` knows the files of the ingested folder, to which its links may lead.

    Text that is marked as deleted counts as gone. Notes, comments, and what page headers and footers say stand at the
    end, in sections of their own. Macros are never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no text of OpenDocument.
    """
    with Archive(path, "OpenDocument text") as archive:
        content, styles, pages = content_of(archive, "text")
        named = (one.get(f"{TEXT}style-name") or "" for one in content.iter(f"{TEXT}p"))
        styled = next(content.iter(f"{TEXT}h"), None) is not None or any(map(styles.heading, named))
        reader = BlockReader(archive, styles, styled=styled)
        body = new("body")
        reader.read(content, body)
        title = reader.title or meta_title(archive) or only_heading(body) or title_on_top(body) or prettify(path.stem)
        margins = _margins(reader, pages)
        _add_notes(reader, body)
        add_lines(body, "Comments", reader.comments)
        add_lines(body, "Page headers and footers", margins)
        notes = list(dict.fromkeys(reader.notes))
        deleted = len(list(content.iter(f"{TEXT}deletion")))
        if deleted:
            notes.append(f"{deleted} passages that are marked as deleted were left out")
        drafts = drafts_of(body, title, FileLinks(document_id, site_map=site_map))
        find = PartPictures(archive).find
        return document_of(drafts, document_id=document_id, title=title, path=path, notes=notes, find=find)


def _add_notes(reader: BlockReader, body: Any) -> None:
    """Footnotes and endnotes, each a paragraph that links to it lead to."""
    for kind, heading in (("footnote", "Footnotes"), ("endnote", "Endnotes")):
        numbered = [(number, note) for number, (of, note) in enumerate(reader.called, 1) if of == kind]
        if numbered:
            add_text(child(body, "h1"), heading)
        for number, note in numbered:
            held = child(body, "p", id=f"note-{number}")
            add_text(held, f"[{number}] ")
            for paragraph in note.iter(f"{TEXT}p"):
                reader.read_inline(paragraph, held)
                add_text(held, " ")


def _margins(reader: BlockReader, pages: Any | None) -> list[str]:
    """What page headers and footers say, each line once; page numbers are nothing to say."""
    margins = pages.iterfind(f"{OFFICE}master-styles/{STYLE}master-page/*") if pages is not None else ()
    lines: dict[str, None] = {}
    for paragraph in (one for margin in margins for one in margin.iter(f"{TEXT}p", f"{TEXT}h")):
        held = new("p")
        reader.read_inline(paragraph, held)
        words = normalise(says(held))
        if re.search(r"[^\W\d]{3}", words):
            lines.setdefault(words)
    return list(lines)
