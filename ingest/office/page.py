"""Office documents as HTML elements: shared reader, titles, notes, conversion to drafts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from backtrail.ingest.adjacent_captions import with_captions
from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.rewrites.standardise import standardise
from backtrail.ingest.html.text import normalise
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.images import prettify
from backtrail.ingest.office.elements import add_text, child, says
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.is_title import title_on_top
from backtrail.ingest.sites.site_map import SiteMap

MAX_DEPTH = 20
"""Most levels of nested tables, lists and text boxes (ours)."""

HEADING_CHARACTERS = 120
"""Most letters of a bold line that is a heading. Of 167 Word files of Apache POI's tests, as all figures here, 60
changes one, 250 none."""

_NO_TITLE = re.compile(r"\W*|title|(?:powerpoint )?presentation", re.I)
"""Titles that programs generate. Without, 63 of 1,608 office files are called "Presentation" or "Title"."""


class TextReader:
    """Base of text converters: title by style, notes on skipped parts, numbers of footnotes and endnotes.

    Charts and text boxes are placed behind their paragraph.
    """

    def __init__(self, archive: Archive) -> None:
        self.title = ""
        self.notes: list[str] = []
        self.deletions = 0
        self.called: dict[tuple[str, Any], int] = {}
        self._archive = archive
        self._floating: list[Any] = []
        self._depth = 0

    def read(self, blocks: Iterable[Any], into: Any) -> None:
        """Write block content into an element."""
        if self._depth >= MAX_DEPTH:
            self.notes.append(f"content nested more than {MAX_DEPTH} levels deep was not read")
            return
        self._depth += 1
        for block in blocks:
            self._block(block, into)
        self._depth -= 1

    def read_inline(self, paragraph: Any, into: Any) -> None:
        """Write the content of a paragraph into an element."""
        raise NotImplementedError

    def _block(self, block: Any, into: Any) -> None:
        raise NotImplementedError

    def _call(self, kind: str, note: Any, into: Any) -> None:
        """Add the reference mark of a footnote or endnote, a link to it."""
        number = self.called.setdefault((kind, note), len(self.called) + 1)
        add_text(child(into, "a", href=f"#note-{number}"), f"[{number}]")


def drafts_of(body: Any, title: str, targets: LinkTargets) -> list[Draft]:
    """Return the drafts of a body in reading order."""
    standardise(body)
    return with_captions(PageWalker(title, targets).walk(body))


def document_of_text(
    body: Any, title: str, reader: TextReader, archive: Archive, document_id: str, site_map: SiteMap | None
) -> ParsedDocument:
    """Return the document of a converted text."""
    notes = list(dict.fromkeys(reader.notes))
    if reader.deletions:
        notes.append(f"{reader.deletions} passages that are marked as deleted were left out")
    drafts = drafts_of(body, title, FileLinks(document_id, site_map=site_map))
    find = PartPictures(archive).find
    return document_of(drafts, document_id=document_id, title=title, path=archive.path, notes=notes, find=find)


def title_of_text(body: Any, reader: TextReader, archive: Archive) -> str:
    """Return the title of a text: by style, only heading, properties, first line, or file name.

    The only heading is the title of 2 files, the properties have that of 35, the first line of 12.
    """
    found = reader.title or only_heading(body) or meta_title(archive) or title_on_top(body)
    return found or prettify(archive.path.stem)


def meta_title(archive: Archive) -> str:
    """Return the title in a file's properties; "" if a program generated it."""
    roots = (archive.tree(part) for part in ("docProps/core.xml", "meta.xml"))
    titles = (one for root in roots if root is not None for one in root.iter("{*}title"))
    title = normalise(next((one.text or "" for one in titles), ""))
    return "" if _NO_TITLE.fullmatch(title) else title


def add_notes(body: Any, kind: str, notes: Iterable[tuple[int, Iterable[Any]]], reader: TextReader) -> None:
    """Append footnotes or endnotes, as numbers with paragraphs, in a section; each has an id for links."""
    for place, (number, paragraphs) in enumerate(notes):
        if not place:
            add_text(child(body, "h1"), kind.capitalize())
        element = child(body, "p", id=f"note-{number}")
        add_text(element, f"[{number}] ")
        for paragraph in paragraphs:
            reader.read_inline(paragraph, element)
            add_text(element, " ")


def is_bold_line(element: Any) -> bool:
    """Return whether a paragraph is short and all bold: a heading in a document without heading styles.

    So it is in 13 files.
    """
    words = says(element)
    if not 0 < len(words) <= HEADING_CHARACTERS or words[-1] in ".,;:!?" or not any(map(str.isalpha, words)):
        return False
    return "".join(words.split()) == "".join("".join("".join(part.itertext()) for part in element.iter("b")).split())


def only_heading(body: Any) -> str:
    """Return the first-level heading at the top if it is the only one, else ""."""
    headings = body.findall("h1")
    return normalise(says(headings[0])) if len(headings) == 1 and headings[0].getprevious() is None else ""
