"""How many documents the files of an ingest became, and why some became several."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.ingest.kinds import SourceKind

_MAIL: tuple[SourceKind, ...] = ("mail", "mailbox", "outlook")


@dataclass
class DocumentsOfFiles:
    """Counts of what was read, changed or not; ``documents`` are all that came of ``files``.

    Of the files that became several documents, these by their paths: ``divided`` were long, and each section or run of
    pages is one; ``mail`` holds messages and what is attached to them; ``bundles`` hold one in each line.
    """

    files: int = 0
    documents: int = 0
    divided: dict[str, int] = field(default_factory=dict[str, int])
    mail: dict[str, int] = field(default_factory=dict[str, int])
    bundles: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, kind: SourceKind, path: str, documents: int) -> None:
        """Add a file that became so many documents; one that became none is not counted."""
        self.files += documents > 0
        self.documents += documents
        if documents > 1:
            several = self.bundles if kind == "bundle" else self.mail if kind in _MAIL else self.divided
            several[path] = documents
