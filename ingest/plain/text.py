"""Parse plain text files: sections from unmarked headings, paragraphs, and addresses as links."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

from backtrail.ingest.bounded_bytes import bounded_bytes
from backtrail.ingest.draft import Draft
from backtrail.ingest.encoding import decode_once_more, detect_encoding
from backtrail.ingest.errors import EmptySource, UnreadableSource
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.html.source import MAX_BYTES
from backtrail.ingest.images import prettify
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.is_title import may_be_title
from backtrail.ingest.plain.lines import Heading, read_lines
from backtrail.state.component import Link

_ADDRESS = re.compile(r"https?://[^\s<>\"'{}|\\^`]+", re.I)
_TRAILING = ".,;:!?)]}»”’"


def parse_text(path: Path, document_id: str) -> ParsedDocument:
    """Parse a text file; its title is its first line if that is a heading or title, else its name.

    Raises:
        UnreadableSource: the file cannot be opened, is empty, binary or larger than 64 MB.
    """
    text, notes = read_plain(path)
    drafts = text_drafts(text)
    title = _first_line(text) or prettify(path.stem)
    return document_of(drafts, document_id=document_id, title=title, path=path, notes=notes)


def _first_line(text: str) -> str:
    """Return the title in a separate first paragraph; empty if there is none."""
    parts = read_lines(text)
    first = next(parts, None)
    if isinstance(first, Heading):
        return first.text if first.may_be_title else ""
    return first.text if first is not None and may_be_title(first.text) and next(parts, None) is not None else ""


def read_plain(path: Path) -> tuple[str, list[str]]:
    """Return the text of a file, and notes on its encoding for the report.

    Raises:
        UnreadableSource: see ``parse_text``.
    """
    content = bounded_bytes(path, MAX_BYTES, "a text")
    encoding = detect_encoding(BytesIO(content))
    if encoding is None:
        raise UnreadableSource(str(path), "this is a binary file, not text", "Give it the extension of its real format")
    if not content.strip():
        raise EmptySource(str(path))
    text, mended = decode_once_more(content.decode(encoding.name, "replace"))
    notes = [encoding.mark] if encoding.mark else []
    if mended:
        notes.append(f"{mended} characters had been encoded twice (“â€“” for “–”) and were repaired")
    return text, notes


def text_drafts(text: str, section: str = "") -> list[Draft]:
    """Return the paragraphs of a text with sections and links.

    Args:
        section: section of the whole text.
    """
    headings: list[Heading] = []
    drafts: list[Draft] = []
    for part in read_lines(text):
        if isinstance(part, Heading):
            headings = [*(heading for heading in headings if heading.level < part.level), part]
            continue
        path = " > ".join([section] * bool(section) + [heading.text for heading in headings])
        drafts.append(Draft(path, text=part.text, links=addresses(part.text)))
    return drafts


def addresses(text: str) -> list[Link]:
    """Return links to the web addresses in a text."""
    found = (match.group(0).rstrip(_TRAILING) for match in _ADDRESS.finditer(text))
    return [Link(target=address, anchor=address, kind="external") for address in dict.fromkeys(found)]
