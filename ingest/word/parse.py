"""Parser of Word documents: numbered headings, lists, tables, pictures, charts, notes, links."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.archive import Archive
from backtrail.ingest.office.elements import new
from backtrail.ingest.office.names import W, value
from backtrail.ingest.office.page import add_notes, document_of_text, title_of_text
from backtrail.ingest.office.relations import main_part, read_relations
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.word.body import BodyReader


def parse_word(path: Path, document_id: str, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one document; ``site_map`` has the files of the ingested folder for its links.

    Tracked insertions are kept, tracked deletions dropped. Footnotes and endnotes are sections at the end. Comments,
    page headers and footers are not read; macros and embedded objects are never opened.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or not a Word document.
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
        for kind in ("footnotes", "endnotes"):
            part, notes = parts.get(kind, ("", None))
            by_id = {value(one, "id"): one for one in notes} if notes is not None else {}
            reader.relations = read_relations(archive, part)
            called = [(n, by_id[id_]) for (of, id_), n in reader.called.items() if f"{of}s" == kind and id_ in by_id]
            add_notes(body, kind, [(number, note.iter(f"{W}p")) for number, note in called], reader)
        return document_of_text(body, title, reader, archive, document_id, site_map)
