"""The parts of a Word document that its body refers to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.office.relations import Relation, read_relations
from backtrail.ingest.word.names import W, usual, value

_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class Package:
    """The parts of one document. ``relations`` are those of the part that is being read.

    Raises:
        UnreadableSource: there is no body.
    """

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        top = read_relations(archive, "").values()
        self.main = next((one.target for one in top if one.kind == "officeDocument"), "word/document.xml")
        root = archive.tree(self.main)
        if root is None:
            raise archive.damaged(ValueError("its text is missing or broken"))
        self.body = usual(root).find(f"{W}body")
        if self.body is None:
            raise archive.damaged(ValueError("it has no body"))
        self.relations = read_relations(archive, self.main)
        self._main_relations = self.relations
        self._numbers: dict[tuple[str, str], int] = {}

    def part(self, kind: str) -> Any | None:
        """The root of the part that the document names for a purpose ("styles"); None if there is none."""
        return next((root for _, root in self.parts(kind)), None)

    def parts(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Name and root of all parts for a purpose ("header")."""
        for relation in self._main_relations.values():
            if relation.kind == kind and not relation.is_external:
                root = self.archive.tree(relation.target)
                if root is not None:
                    yield relation.target, usual(root)

    def read_from(self, part: str) -> None:
        """Take the relations of another part from now on."""
        self.relations: dict[str, Relation] = read_relations(self.archive, part)

    def note_number(self, kind: str, id_: str) -> int:
        """The number of a footnote or endnote in the order of references; 0 without an id."""
        if not id_:
            return 0
        known = sum(1 for other, _ in self._numbers if other == kind)
        return self._numbers.setdefault((kind, id_), known + 1)

    def notes(self, kind: str) -> Iterator[tuple[int, str, Any]]:
        """Number, part and content of the notes of a kind that the text refers to, in order."""
        for part, root in self.parts(f"{kind}s"):
            found = {value(note, "id"): note for note in root if value(note, "type") not in _SEPARATORS}
            for (other, id_), number in self._numbers.items():
                if other == kind and id_ in found:
                    yield number, part, found[id_]
