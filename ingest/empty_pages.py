"""Report pages from which almost nothing could be read."""

from __future__ import annotations

import re
from dataclasses import replace

from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.state.component import Component

LEAST_CHARACTERS = 2000
"""Minimum characters of a source; a shorter page may consist of a link or a list of pages."""

LEAST_SHARE = 0.05
"""Minimum share of a source's characters that is read (ours: higher on real sites unless text is lost)."""

REASON = (
    "less than a twentieth of what is written in the file is text of the page; the rest is code, comments or parts of "
    "components that only their site runs. If readers see more there, save the page as the site shows it"
)


_UNREAD = re.compile(r"<!--.*?(?:-->|\Z)|\bdata:[^\s\"')>]{100,}", re.S)
"""Comments and embedded pictures."""


def note_empty_pages(parsed: ParsedDocument, source: str) -> ParsedDocument:
    """Add a note to a document whose components contain almost nothing of its source."""
    if len(source) < LEAST_CHARACTERS or not parsed.components:
        return parsed
    written = len(_UNREAD.sub("", source))
    if written < LEAST_CHARACTERS or sum(map(_characters, parsed.components)) >= LEAST_SHARE * written:
        return parsed
    return replace(parsed, skipped=[*parsed.skipped, SkippedPart(parsed.document.id, REASON)])


def _characters(component: Component) -> int:
    table = component.table
    cells = sum(len(cell) for row in (table.header, *table.rows) for cell in row) if table else 0
    picture = component.image
    described = len(picture.alt) + len(picture.caption) + len(picture.title) if picture else 0
    return len(component.text or "") + len(component.section) + cells + described
