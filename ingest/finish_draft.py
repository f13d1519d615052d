"""Convert drafts to a parsed document: components, pictures and notes on left-out parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from backtrail.ingest.draft import Draft
from backtrail.ingest.finish import finish
from backtrail.ingest.html.components import PageAssembler
from backtrail.ingest.images import UnusablePicture
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.state.component import Document


def document_of(
    drafts: Sequence[Draft],
    *,
    document_id: str,
    title: str,
    path: Path,
    notes: Sequence[str] = (),
    find: Callable[[str], Path | bytes] | None = None,
    url: str = "",
) -> ParsedDocument:
    """Build a document from drafts in reading order.

    Args:
        path: source file.
        notes: sentences on left-out parts.
        find: returns a picture by its source; see ``PageAssembler``.
        url: address by which other documents link to it.
    """
    page = PageAssembler(document_id, find or _no_picture)
    page.assemble(drafts)
    skipped = [SkippedPart(document_id, note) for note in notes]
    if not page.components:
        skipped.append(SkippedPart(document_id, "there is no text, table or picture to read in it"))
    return finish(
        Document(id=document_id, title=title, source=str(path), url=url),
        page.components,
        fragments=page.fragments,
        blobs=page.blobs,
        skipped=skipped + page.skipped,
    )


def _no_picture(source: str) -> bytes:
    raise UnusablePicture(source, "this kind of file cannot contain pictures", "Give the picture as a separate file")
