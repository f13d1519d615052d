"""Parse PDF files: components in reading order, with section, page, box and links."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.errors import EmptySource, UnreadableSource
from backtrail.ingest.html.served_links import link_targets
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pdf.assemble import assemble
from backtrail.ingest.pdf.isolated_reader import read_in_process
from backtrail.ingest.pdf.reading import ADVICE
from backtrail.ingest.pdf.scans import ReadPages, read_scans
from backtrail.ingest.pdf.unreadable.group_by_reason import by_reason
from backtrail.ingest.sites.site_map import SiteMap


def parse_pdf(
    path: Path, document_id: str, site_map: SiteMap | None = None, read: ReadPages | None = None
) -> list[ParsedDocument]:
    """Parse one PDF file; a long one becomes several documents (``divide.py``).

    Pages without text are read by OCR (``read``) if available, else reported and kept with their pictures; damaged
    pages are reported and left out.

    Raises:
        UnreadableSource: the file needs a password, is damaged, has no pages, is not a PDF, or has no readable content.
    """
    reading = read_in_process(path)
    read_scans(reading, read)
    documents = assemble(path, document_id, reading, link_targets(document_id, "", site_map))
    if any(document.components for document in documents):
        return documents
    if all(page.blank for page in reading.pages) and not reading.notes:
        raise EmptySource(str(path), "all its pages are blank")
    reasons = "; ".join(f"{pages}: {why}" for pages, why in by_reason(reading.notes)) or "no text and no pictures"
    raise UnreadableSource(str(path), f"nothing of it can be read ({reasons})", ADVICE)
