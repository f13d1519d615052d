"""What an ingest did, for people and for scripts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from backtrail.ingest.change.documents_of_files import DocumentsOfFiles
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parsed import ParsedDocument, Problem, SkippedPart
from backtrail.ingest.web.report import SiteReport
from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.dead_links import DeadLinks


@dataclass
class IngestReport:
    """Counts of documents, of links by kind over the whole corpus, and of texts embedded in this run.

    ``edges`` counts what joins documents, over the whole corpus.

    ``dead`` says of links that lead nowhere, or to no place in their page, by cause how many there are in the corpus,
    with examples. Of the sources read in this run, changed or not: ``pictures`` counts those that are stored,
    ``refused`` the others by cause, ``remote`` those of them that lie on the web by host, and ``unshown`` those beside
    pages that no page shows and that became documents; ``left_out`` counts what pages have but only their generator
    evaluates, by name.

    ``of_files`` says how many files became how many documents.

    ``unknown`` counts the files that were left out because their kind is not read, by extension.

    ``failed`` are files, lines and documents that were left out (of a changed one, the earlier version
    stays); ``skipped`` are parts of stored documents, or files of unsupported kinds. ``ocr`` counts the pictures that
    OCR was shown, those that have words, those that failed and those left for a later ingest, with the seconds it took;
    it is empty where there was no OCR, and ``ocr_note`` says so where Tesseract is missing. ``knowledge`` says
    how far a corpus that has a knowledge graph was read into it, and what that took; else it is empty. ``sites`` says
    of each site of the web what the walk over it met.
    """

    corpus: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: list[Problem] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    links: dict[str, int] = field(default_factory=dict)
    edges: dict[EdgeKind, int] = field(default_factory=dict)
    dead: dict[str, DeadLinks] = field(default_factory=dict)
    pictures: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    remote: dict[str, int] = field(default_factory=dict)
    unshown: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    of_files: DocumentsOfFiles = field(default_factory=DocumentsOfFiles)
    unknown: dict[str, int] = field(default_factory=dict)
    embedded: int = 0
    seconds: float = 0.0
    version: str = ""
    ocr: dict[str, Any] = field(default_factory=dict)
    ocr_note: str = ""
    knowledge: dict[str, Any] = field(default_factory=dict)
    sites: list[SiteReport] = field(default_factory=list)

    def count_parts(self, parsed: ParsedDocument) -> None:
        """Add the pictures of a document, and what was left out of it."""
        self.pictures += sum(1 for part in parsed.components if part.image is not None and part.image.blob)
        for skipped in parsed.skipped:
            self.count_refused(skipped)
        for name, count in parsed.left_out.items():
            self.left_out[name] = self.left_out.get(name, 0) + count

    def count_reading(self, reading: Reading) -> None:
        """The same of a document that was not parsed again, with the parts of it that could not be read."""
        self.pictures += reading.pictures
        self.skipped += [part.problem for part in reading.skipped]
        for skipped in reading.skipped:
            self.count_refused(skipped)
        for name, count in reading.left_out.items():
            self.left_out[name] = self.left_out.get(name, 0) + count

    def count_refused(self, skipped: SkippedPart) -> None:
        """Add a picture that was left out, if the part is one."""
        if skipped.picture:
            self.refused[skipped.picture] = self.refused.get(skipped.picture, 0) + 1
            if skipped.host:
                self.remote[skipped.host] = self.remote.get(skipped.host, 0) + 1

    @property
    def anything_new(self) -> bool:
        """Whether the corpus differs from what it was."""
        return bool(self.added or self.changed or self.deleted)

    def as_json(self) -> dict[str, Any]:
        """Plain values, as ``json.dumps`` takes them."""
        return asdict(self)

    def counts(self) -> dict[str, int]:
        """The short form kept in the ledger of runs."""
        return {
            "added": self.added,
            "changed": self.changed,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "failed": len(self.failed),
            "skipped": len(self.skipped),
        }
