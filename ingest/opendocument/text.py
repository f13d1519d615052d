"""Texts of OpenDocument (.odt): headings, lists, tables, pictures, charts, formulas, notes, comments, links."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.archive import Archive
from backtrail.ingest.office.elements import new
from backtrail.ingest.office.page import add_comments, add_notes, document_of_text, title_of_text
from backtrail.ingest.opendocument.blocks import BlockReader
from backtrail.ingest.opendocument.names import TEXT, content_of
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap


def parse_odt(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one text; ``site_map`` knows the files of the ingested folder, to which its links may lead.

    Text that is marked as deleted counts as gone. Notes and comments stand at the end, in sections of their own. Page
    headers and footers are not read, macros never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no text of OpenDocument.
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
        add_comments(body, reader.comments)
        return document_of_text(body, title, reader, archive, document_id, site_map)
