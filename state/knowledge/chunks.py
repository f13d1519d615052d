"""A chunk of one component for the extractor, and the knowledge extracted from it.

Chunks contain contents alone, not link targets: so a chunk stays the same when other documents are added or removed,
and is not extracted again.
"""

from __future__ import annotations

from pydantic import Field

from backtrail.state.component import Modality
from backtrail.state.decision import Part

MOST_ENTITIES = 500
MOST_TRIPLETS = 1000
LONGEST_NAME = 200
LONGEST_STATEMENT = 3000


class Anchor(Part):
    """The text of a link in the chunk; ``row`` is the table row that holds it."""

    text: str
    row: int | None = None


class NumberedRow(Part):
    """Cells of one table row, by its number in the whole table (0-based)."""

    number: int
    cells: list[str]


class KnowledgeChunk(Part):
    """A chunk of one component. The hash of its JSON is the key of its extracted knowledge.

    ``text`` is prose, or the words around a picture; ``caption`` is a table's or picture's, ``name`` a picture's title,
    ``objects`` what a vision model saw in it.
    """

    title: str = Field(description="Title of the document.")
    section: str = ""
    modality: Modality
    text: str = ""
    name: str = ""
    caption: str = ""
    objects: list[str] = Field(default_factory=list[str])
    header: list[str] = Field(default_factory=list[str])
    rows: list[NumberedRow] = Field(default_factory=list[NumberedRow])
    anchors: list[Anchor] = Field(default_factory=list[Anchor])

    def texts(self) -> list[str]:
        """Return every text of the chunk."""
        rows = [cell for row in self.rows for cell in row.cells]
        anchors = [anchor.text for anchor in self.anchors]
        own = [self.title, self.section, self.text, self.name, self.caption]
        return [*own, *self.objects, *self.header, *rows, *anchors]


class ExtractedEntity(Part):
    """A thing that the chunk names, and what the chunk says it is."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    kind: str = Field(default="", max_length=60)
    description: str = Field(default="", max_length=LONGEST_STATEMENT)


class ExtractedTriplet(Part):
    """A statement of the chunk. ``text`` says it in words that can be understood without the chunk."""

    head: str = Field(min_length=1, max_length=LONGEST_NAME)
    relation: str = Field(min_length=1, max_length=120)
    tail: str = Field(min_length=1, max_length=LONGEST_NAME)
    text: str = Field(min_length=1, max_length=LONGEST_STATEMENT)
    keywords: list[str] = Field(default_factory=list[str], max_length=8)
    weight: float = Field(default=1.0, gt=0, le=10, description="How strongly the chunk says it.")
    row: int | None = Field(default=None, description="Number of the table row that says it.")


class ExtractedKnowledge(Part):
    """What a chunk says; both lists are empty when it says nothing."""

    entities: list[ExtractedEntity] = Field(default_factory=list[ExtractedEntity], max_length=MOST_ENTITIES)
    triplets: list[ExtractedTriplet] = Field(default_factory=list[ExtractedTriplet], max_length=MOST_TRIPLETS)
