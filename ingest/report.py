"""Report of an ingest."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from backtrail.ingest.change.documents_of_files import DocumentsOfFiles
from backtrail.ingest.pages.embed_pages import PagesReport
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parsed import ParsedDocument, Problem, SkippedPart
from backtrail.ingest.web.report import SiteReport
from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.dead_links import DeadLinks


@dataclass
class IngestReport:
    """Counts of documents and embedded texts of this ingest, and of links by kind over the whole corpus.

    ``edges`` counts edges between documents by kind, over the whole corpus.

    ``dead_links`` has the number of dead links and fragments of the corpus by cause, with examples. For the sources of
    this ingest, changed or not: ``pictures`` counts stored pictures, ``refused`` others by cause, ``remote`` those of
    them on the web by host, ``unreferenced_pictures`` those that no page shows and that became documents, ``left_out``
    constructs that only a page's generator evaluates, by name.

    ``documents_by_file`` counts documents per file.

    ``unknown`` counts files of unsupported kinds by extension.

    ``failed`` are files, lines and documents that could not be ingested (earlier versions stay); ``skipped`` are files
    that become no document; ``warnings`` are parts of stored documents that could not be read. ``duplicates`` maps each
    file with the bytes of an earlier one to that, if one of them is new; both are stored.

    ``ocr`` counts pictures that OCR read, those with words, failed and left ones, with the seconds; empty without OCR,
    and ``ocr_note`` says if Tesseract is missing. ``knowledge`` has the state and cost of the knowledge graph; empty
    without one. ``pages`` has the report of each recorded page model, and ``pages_note`` says why new pages are not
    embedded. ``sites`` has the report of each crawl.
    """

    corpus: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: list[Problem] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    duplicates: dict[str, str] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    edges: dict[EdgeKind, int] = field(default_factory=dict)
    dead_links: dict[str, DeadLinks] = field(default_factory=dict)
    pictures: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    remote: dict[str, int] = field(default_factory=dict)
    unreferenced_pictures: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    documents_by_file: DocumentsOfFiles = field(default_factory=DocumentsOfFiles)
    unknown: dict[str, int] = field(default_factory=dict)
    embedded: int = 0
    seconds: float = 0.0
    version: str = ""
    ocr: dict[str, Any] = field(default_factory=dict)
    ocr_note: str = ""
    knowledge: dict[str, Any] = field(default_factory=dict)
    pages: list[PagesReport] = field(default_factory=list[PagesReport])
    pages_note: str = ""
    sites: list[SiteReport] = field(default_factory=list)

    def count_parts(self, parsed: ParsedDocument) -> None:
        """Count the pictures and left-out constructs of a document."""
        self.pictures += sum(1 for part in parsed.components if part.image is not None and part.image.blob)
        for skipped in parsed.skipped:
            self.count_refused(skipped)
        for name, count in parsed.left_out.items():
            self.left_out[name] = self.left_out.get(name, 0) + count

    def count_reading(self, reading: Reading) -> None:
        """Count the same for a document that was not parsed again, and add its warnings."""
        self.pictures += reading.pictures
        problems = [part.problem for part in reading.skipped]
        if reading.document:
            self.warnings += problems
        else:  # a picture that becomes no document
            self.skipped += problems
        for skipped in reading.skipped:
            self.count_refused(skipped)
        for name, count in reading.left_out.items():
            self.left_out[name] = self.left_out.get(name, 0) + count

    def count_refused(self, skipped: SkippedPart) -> None:
        """Count a part if it is a refused picture."""
        if skipped.picture:
            self.refused[skipped.picture] = self.refused.get(skipped.picture, 0) + 1
            if skipped.host:
                self.remote[skipped.host] = self.remote.get(skipped.host, 0) + 1

    @property
    def anything_new(self) -> bool:
        """Whether any document was added, changed or deleted."""
        return bool(self.added or self.changed or self.deleted)

    def as_json(self) -> dict[str, Any]:
        """Return plain values for ``json.dumps``."""
        return asdict(self)

    def counts(self) -> dict[str, int]:
        """Return the short form for the ledger of ingests."""
        return {
            "added": self.added,
            "changed": self.changed,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "failed": len(self.failed),
            "skipped": len(self.skipped),
            "warnings": len(self.warnings),
        }
