"""Word documents: headings with their numbers, lists, tables, pictures, charts, notes, comments, links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.elements import add_text, new, says
from backtrail.ingest.office.names import W, value
from backtrail.ingest.office.page import add_comments, add_notes, document_of_text, title_of_text
from backtrail.ingest.office.relations import main_part, read_relations
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.word.body import BodyReader


def parse_word(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one document; ``site_map`` knows the files of the ingested folder, to which its links may lead.

    Inserted text that waits for approval counts as there, deleted text as gone. Footnotes and comments stand at the
    end, in sections of their own. Page headers and footers are not read; macros and embedded objects never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no Word document.
    """
    with Archive(path, "Word document") as archive:
        main = main_part(archive) or "word/document.xml"
        root = archive.tree(main)
        source = root.find(f"{W}body") if root is not None else None
        if source is None:
            raise archive.damaged(ValueError("its text is missing or broken"))
        inner = [one for one in read_relations(archive, main).values() if not one.is_external]
        parts = {one.kind: (one.target, tree) for one in inner if (tree := archive.tree(one.target)) is not None}
        reader = BodyReader(archive, main, source, {kind: tree for kind, (_, tree) in parts.items()})
        body = new("body")
        reader.read(source, body)
        title = title_of_text(body, reader, archive)
        for kind in ("footnotes", "endnotes", "comments"):
            if kind in parts:
                reader.relations = read_relations(archive, parts[kind][0])
                _add_rest(kind, parts[kind][1], reader, body)
        return document_of_text(body, title, reader, archive, document_id, site_map)


def _add_rest(kind: str, root: Any, reader: BodyReader, body: Any) -> None:
    """What a part beside the text says: the notes that it calls, or comments."""
    by_id = {value(one, "id"): one for one in root}
    if kind == "comments":
        said = ((normalise(value(one, "author")), _words(one, reader)) for one in by_id.values())
        add_comments(body, [(author, words) for author, words in said if words])
        return
    called = [(n, by_id[id_]) for (of, id_), n in reader.called.items() if f"{of}s" == kind and id_ in by_id]
    add_notes(body, kind, [(number, note.iter(f"{W}p")) for number, note in called], reader)


def _words(comment: Any, reader: BodyReader) -> str:
    held = new("p")
    for paragraph in comment.iter(f"{W}p"):
        reader.read_inline(paragraph, held)
        add_text(held, " ")
    return normalise(says(held))
