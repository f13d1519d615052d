"""Word documents: headings with their numbers, lists, tables, pictures, charts, formulas, notes, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.drafted import document_of
from backtrail.ingest.html.text import normalise
from backtrail.ingest.images import prettify
from backtrail.ingest.office.elements import add_text, child, new, says
from backtrail.ingest.office.file_links import FileLinks
from backtrail.ingest.office.names import W, usual, value
from backtrail.ingest.office.page import add_lines, drafts_of, only_heading
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.office.relations import read_relations
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.title_line import title_on_top
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.word.body import BodyReader

_NO_TITLE = re.compile(r"\W*|(?:microsoft )?word( document)?|document\d*|untitled|title|.*\.docx?", re.I)


def parse_word(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one document; ``site_map`` knows the files of the ingested folder, to which its links may lead.

    Inserted text that waits for approval counts as there, deleted text as gone. Footnotes, comments, and what page
    headers and footers say stand at the end, in sections of their own. Macros and embedded objects are never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no Word document.
    """
    with Archive(path, "Word document") as archive:
        top = read_relations(archive, "").values()
        main = next((one.target for one in top if one.kind == "officeDocument"), "word/document.xml")
        root = archive.tree(main)
        source = usual(root).find(f"{W}body") if root is not None else None
        if source is None:
            raise archive.damaged(ValueError("its text is missing or broken"))
        reader = BodyReader(archive, main, source, {kind: part for kind, _, part in _parts(archive, main)})
        body = new("body")
        reader.read(source, body)
        title = reader.title or only_heading(body) or _metadata_title(archive)
        _add_rest(archive, main, reader, body)
        title = title or title_on_top(body) or prettify(path.stem)
        notes = list(dict.fromkeys(reader.notes))
        if reader.deletions:
            notes.append(f"{reader.deletions} passages that are marked as deleted were left out")
        drafts = drafts_of(body, title, FileLinks(document_id, site_map=site_map))
        find = PartPictures(archive).find
        return document_of(drafts, document_id=document_id, title=title, path=path, notes=notes, find=find)


def _parts(archive: Archive, main: str) -> Iterator[tuple[str, str, Any]]:
    """Kind, name and root of the parts that a document refers to."""
    for relation in read_relations(archive, main).values():
        root = archive.tree(relation.target) if not relation.is_external else None
        if root is not None:
            yield relation.kind, relation.target, usual(root)


def _add_rest(archive: Archive, main: str, reader: BodyReader, body: Any) -> None:
    """Notes, each a paragraph that links to it lead to; comments; and what page headers and footers say, each once."""
    comments: list[str] = []
    margins: list[str] = []
    for kind, name, root in _parts(archive, main):
        reader.relations = read_relations(archive, name)
        if kind in ("footnotes", "endnotes"):
            _add_notes(kind, root, reader, body)
        elif kind == "comments":
            for comment in root.iter(f"{W}comment"):
                author = normalise(value(comment, "author"))
                comments.append((f"{author}: " if author else "") + " ".join(_lines(reader, comment)))
        elif kind in ("header", "footer"):
            # page numbers are nothing to say
            margins += [line for line in _lines(reader, root) if re.search(r"[^\W\d]{3}", line)]
    add_lines(body, "Comments", comments)
    add_lines(body, "Page headers and footers", ["\n".join(dict.fromkeys(margins))] if margins else [])


def _add_notes(kind: str, root: Any, reader: BodyReader, body: Any) -> None:
    found = {(kind.removesuffix("s"), value(note, "id")): note for note in root}
    called = [note for note in reader.called if note in found]
    if called:
        add_text(child(body, "h1"), kind.capitalize())
    for note in called:
        held = child(body, "p", id="-".join(note))
        add_text(held, f"[{reader.called[note]}] ")
        for paragraph in found[note].iter(f"{W}p"):
            reader.read_inline(paragraph, held)
            add_text(held, " ")


def _lines(reader: BodyReader, element: Any) -> list[str]:
    """What the paragraphs of a comment or margin say."""
    lines: list[str] = []
    for paragraph in element.iter(f"{W}p"):
        held = new("p")
        reader.read_inline(paragraph, held)
        lines.append(normalise(says(held)))
    return lines


def _metadata_title(archive: Archive) -> str:
    root = archive.tree("docProps/core.xml")
    title = normalise(root.findtext("{*}title") or "") if root is not None else ""
    return "" if _NO_TITLE.fullmatch(title) else title
