"""Notes that a note shows in itself, ``![[Note]]``, ``![[Note#Heading]]``, ``![[Note#^block]]`` (Obsidian, Logseq)."""

from __future__ import annotations

import re

from backtrail.ingest.markdown.includes.includer import Includer, body
from backtrail.ingest.markdown.labels import closed, opened
from backtrail.ingest.markdown.prose import in_prose, split_fences
from backtrail.ingest.sites.page_keys import MARKDOWN_SUFFIXES
from backtrail.ingest.sites.slugs import github

_EMBEDDED = re.compile(
    r"^[ ]{0,3}!\[\[([^\[\]|#\n]{1,300})(?:#([^\[\]|\n]{1,300}))?(?:\|[^\[\]\n]{0,300})?\]\][ \t]*$", re.M
)
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")


def expand_embedded_notes(text: str, includer: Includer) -> str:
    """The text with each embedded note, or the part of it that is named, in its place below its name.

    Only notes on lines of their own; in a sentence they stay links. A part that is not there stays a link as well.
    """
    if "![[" not in text:
        return text
    return in_prose(text, lambda prose: _EMBEDDED.sub(lambda found: _shown(found, includer), prose))


def _shown(found: re.Match[str], includer: Includer) -> str:
    name, place = found[1].strip(), (found[2] or "").strip()
    page = includer.page.site_map.page_named(includer.page.document_id, name)
    if page is None or not page.lower().endswith(MARKDOWN_SUFFIXES) or page in includer.open:
        return found[0]
    read = includer.read("note", f"/{page}")
    part = note_part(body(read[1]), place) if read else None
    if read is None or part is None:
        return found[0]
    includer.open.append(read[0])
    part = expand_embedded_notes(part, includer)
    includer.open.pop()
    label = "" if place.startswith("^") else (place.rpartition("#")[2] or name.rpartition("/")[2])
    return f"{opened(label)}{part}{closed()}"


def note_part(text: str, place: str) -> str | None:
    """The section below a heading, the block with an id (``^id``), all of it for ""; None if it is not there."""
    if not place:
        return text
    lines = [(line, is_code) for is_code, part in split_fences(text) for line in part.splitlines()]
    if place.startswith("^"):
        return _block(lines, place)
    return _section(lines, github(place.rpartition("#")[2]))


def _section(lines: list[tuple[str, bool]], wanted: str) -> str | None:
    level, kept = 0, []
    for line, is_code in lines:
        heading = None if is_code else _HEADING.match(line)
        if heading and level and len(heading[1]) <= level:
            break
        if level:
            kept.append(line)
        elif heading and github(heading[2]) == wanted:
            level = len(heading[1])
    return "\n".join(kept) if level else None


def _block(lines: list[tuple[str, bool]], mark: str) -> str | None:
    """The lines up to the one that ends with the mark, back to a blank line; a list item alone is its line."""
    for index, (line, is_code) in enumerate(lines):
        own, found, behind = line.rstrip().rpartition(mark)
        if is_code or not found or behind or own[-1:].strip():
            continue
        if _ITEM.match(own):
            return own.strip()
        end = index
        while not own.strip() and end and not lines[end - 1][0].strip():
            end -= 1  # the mark stands below its block
        start = end
        while start and lines[start - 1][0].strip():
            start -= 1
        return "\n".join([*(text for text, _ in lines[start:end]), own.rstrip()])
    return None
