"""Counts of documents per file of an ingest, and the reasons for several."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.ingest.kinds import SourceKind

_MAIL: tuple[SourceKind, ...] = ("mail", "mailbox", "outlook")


@dataclass
class DocumentsOfFiles:
    """Number of read ``files``, changed or not, and of their ``documents``.

    Of files with several documents, counts by path: ``divided`` are long files, divided by section or pages; ``mail``
    are messages with attachments; ``bundles`` have one document per line.
    """

    files: int = 0
    documents: int = 0
    divided: dict[str, int] = field(default_factory=dict[str, int])
    mail: dict[str, int] = field(default_factory=dict[str, int])
    bundles: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, kind: SourceKind, path: str, documents: int) -> None:
        """Count a file and its documents; files without documents are not counted."""
        self.files += documents > 0
        self.documents += documents
        if documents > 1:
            several = self.bundles if kind == "bundle" else self.mail if kind in _MAIL else self.divided
            several[path] = documents
