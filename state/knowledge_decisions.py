"""Decisions that build the knowledge graph of a corpus: read one chunk, sum up what was said of one thing.

Chunks show contents alone, not what links resolve to: what one chunk says stays the same when other documents
come and go, so that work on it is never repeated.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from backtrail.state.component import Modality
from backtrail.state.decision import Decision

MOST_ENTITIES = 500
MOST_TRIPLETS = 1000
LONGEST_NAME = 200
LONGEST_STATEMENT = 3000


class Part(BaseModel):
    """Inputs and outputs take no unknown field."""

    model_config = ConfigDict(extra="forbid")


class Anchor(Part):
    """The text of a link in the chunk; ``row`` is the table row that holds it."""

    text: str
    row: int | None = None


class NumberedRow(Part):
    """Cells of one table row, by its number in the whole table (0-based)."""

    number: int
    cells: list[str]


class ExtractKnowledgeInputs(Part):
    """A chunk of one component.

    ``text`` is prose, or the words around a picture; ``caption`` is a table's or picture's, ``name`` a picture's
    title, ``objects`` what a vision model saw in it.
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


def _check_extraction(inputs: ExtractKnowledgeInputs, output: ExtractedKnowledge) -> list[str]:
    """Names must share a word with the chunk (examples of the prompt are not its contents); rows must be shown."""
    shown = " ".join(_texts(inputs)).casefold()
    names = dict.fromkeys(
        [entity.name for entity in output.entities] + [name for t in output.triplets for name in (t.head, t.tail)]
    )
    problems = [
        f"{name!r} does not occur in the chunk; name things as it names them."
        for name in names
        if not any(word in shown for word in _words(name))
    ]
    rows = {row.number for row in inputs.rows}
    wrong = sorted({t.row for t in output.triplets if t.row is not None and t.row not in rows})
    if wrong:
        problems.append(f"Rows {wrong} are not in the chunk; it shows {sorted(rows) or 'none'}.")
    return problems[:10]


def _words(name: str) -> list[str]:
    folded = name.casefold()
    return "".join(c if c.isalnum() else " " for c in folded).split() or [folded]


def _texts(inputs: ExtractKnowledgeInputs) -> list[str]:
    rows = [cell for row in inputs.rows for cell in row.cells]
    anchors = [anchor.text for anchor in inputs.anchors]
    own = [inputs.title, inputs.section, inputs.text, inputs.name, inputs.caption]
    return [*own, *inputs.objects, *inputs.header, *rows, *anchors]


EXTRACT_KNOWLEDGE = Decision(
    "extract_knowledge", ExtractKnowledgeInputs, ExtractedKnowledge, "reader", _check_extraction
)


class SummarizeDescriptionsInputs(Part):
    """What the corpus says of one entity (``name``) or of one relation ("head, relation, tail").

    ``left_out`` counts further descriptions that found no room.
    """

    name: str
    descriptions: list[str]
    left_out: int = 0


class DescriptionsSummary(Part):
    """All of it in a few sentences; contradictions are named."""

    summary: str = Field(min_length=1, max_length=1200)


SUMMARIZE_DESCRIPTIONS = Decision("summarize_descriptions", SummarizeDescriptionsInputs, DescriptionsSummary, "reader")
