"""What an ingest did, for people and for scripts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Problem:
    """A source, or a part of one, that is not in the corpus, and why."""

    source: str
    reason: str


@dataclass
class IngestReport:
    """Counts of documents, of links by kind over the whole corpus, and of texts embedded in this run.

    ``failed`` are files, lines and documents that were left out (of a changed one, the earlier version
    stays); ``skipped`` are parts of stored documents, or files of unsupported kinds. ``ocr`` counts the pictures that
    OCR was shown, those that have words and those that failed; it is empty where there was no OCR. ``knowledge`` says
    how far a corpus that has a knowledge graph was read into it, and what that took; else it is empty.
    """

    corpus: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: list[Problem] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    links: dict[str, int] = field(default_factory=dict)
    embedded: int = 0
    seconds: float = 0.0
    version: str = ""
    ocr: dict[str, Any] = field(default_factory=dict)
    knowledge: dict[str, Any] = field(default_factory=dict)

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
