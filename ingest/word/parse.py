"""Word documents: headings with their numbers, lists, tables, pictures, charts, formulas, notes, links."""

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
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.title_line import title_on_top
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.word.body import BodyReader
from backtrail.ingest.word.captions import join_captions
from backtrail.ingest.word.elements import add_text, child, new, says
from backtrail.ingest.word.names import W, value
from backtrail.ingest.word.numbering import Numbering
from backtrail.ingest.word.package import Package
from backtrail.ingest.word.styles import Styles, outline_level

_NO_TITLE = re.compile(r"\W*|(?:microsoft )?word( document)?|document\d*|untitled|title|.*\.docx?", re.I)


def parse_word(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one document; ``site_map`` knows the files of the ingested folder, to which its links may lead.

    Inserted text that waits for approval counts as there, deleted text as gone. Footnotes, comments, and what page
    headers and footers say stand at the end, in sections of their own. Macros and embedded objects are never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no Word document.
    """
    with Archive(path, "Word document") as archive:
        package = Package(archive)
        reader, body = _read(package)
        title = reader.title or _metadata_title(archive) or title_on_top(body) or prettify(path.stem)
        drafts = PageWalker(title, FileLinks(document_id, site_map=site_map)).walk(body)
        return document_of(
            drafts,
            document_id=document_id,
            title=title,
            path=path,
            notes=_notes(reader),
            find=PartPictures(archive).find,
        )


def _read(package: Package) -> tuple[BodyReader, Any]:
    styles = Styles(package.part("styles"))
    paragraphs = list(package.body.iter(f"{W}p"))
    styled = any(styles.of(one).level or outline_level(one) for one in paragraphs)
    reader = BodyReader(package, styled=styled, styles=styles, numbering=Numbering(package.part("numbering")))
    body = new("body")
    reader.read(package.body, body)
    reader.title = reader.title or _only_heading(body)
    _add_notes(package, reader, body)
    _add_comments(package, reader, body)
    _add_margins(package, reader, body)
    join_captions(body)
    return reader, body


def _add_notes(package: Package, reader: BodyReader, body: Any) -> None:
    """Footnotes and endnotes, each a paragraph that links to it lead to."""
    for kind, heading in (("footnote", "Footnotes"), ("endnote", "Endnotes")):
        for number, part, note in list(package.notes(kind)):
            package.read_from(part)
            if number == 1:
                add_text(child(body, "h1"), heading)
            held = child(body, "p", id=f"{kind}-{number}")
            add_text(held, f"[{number}] ")
            for paragraph in note.iter(f"{W}p"):
                reader.inline.read(paragraph, held)
                add_text(held, " ")


def _add_comments(package: Package, reader: BodyReader, body: Any) -> None:
    for part, root in package.parts("comments"):
        package.read_from(part)
        add_text(child(body, "h1"), "Comments")
        for comment in root.iter(f"{W}comment"):
            held = child(body, "p")
            author = normalise(value(comment, "author"))
            add_text(held, f"{author}: " if author else "")
            for paragraph in comment.iter(f"{W}p"):
                reader.inline.read(paragraph, held)
                add_text(held, " ")


def _add_margins(package: Package, reader: BodyReader, body: Any) -> None:
    """What page headers and footers say, each line once; page numbers are nothing to say."""
    lines: dict[str, None] = {}
    for kind in ("header", "footer"):
        for part, root in package.parts(kind):
            package.read_from(part)
            for paragraph in root.iter(f"{W}p"):
                held = new("p")
                reader.inline.read(paragraph, held)
                words = normalise(says(held))
                if re.search(r"[^\W\d]{3}", words):
                    lines.setdefault(words)
    reader.inline.boxes.clear()
    reader.inline.tables.clear()
    if lines:
        add_text(child(body, "h1"), "Page headers and footers")
        add_text(child(body, "pre"), "\n".join(lines))


def _notes(reader: BodyReader) -> list[str]:
    notes = list(dict.fromkeys(reader.notes))
    if reader.inline.deletions:
        notes.append(f"{reader.inline.deletions} passages that are marked as deleted were left out")
    return notes


def _metadata_title(archive: Archive) -> str:
    root = archive.tree("docProps/core.xml")
    title = normalise(root.findtext("{*}title") or "") if root is not None else ""
    return "" if _NO_TITLE.fullmatch(title) else title


def _only_heading(body: Any) -> str:
    """A first-level heading on top that is the only one: a title in all but style."""
    headings = body.findall("h1")
    return normalise(says(headings[0])) if len(headings) == 1 and headings[0].getprevious() is None else ""
