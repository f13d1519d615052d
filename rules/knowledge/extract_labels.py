"""Extract label-value tables: "Launched | 1972" under the title "Pioneer 10" is about Pioneer 10."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from backtrail.language.label_value_tables import subject_of
from backtrail.rules.knowledge.statement_parts import about, cut, statement
from backtrail.state.knowledge.chunks import (
    LONGEST_NAME,
    ExtractedEntity,
    ExtractedKnowledge,
    ExtractedTriplet,
    KnowledgeChunk,
    NumberedRow,
)


def read_labels(chunk: KnowledgeChunk) -> ExtractedKnowledge:
    """Return one statement per entry, about its column's subject; the label is the relation."""
    linked: dict[int | None, set[str]] = defaultdict(set)
    for anchor in chunk.anchors:
        linked[anchor.row].add(" ".join(anchor.text.split()))
    triplets = [triplet for row in chunk.rows for triplet in _entries(chunk, row, linked[row.number])]
    subjects = dict.fromkeys(triplet.head for triplet in triplets if triplet.head != chunk.title)
    return ExtractedKnowledge(
        entities=[ExtractedEntity(name=cut(name, LONGEST_NAME)) for name in subjects], triplets=triplets
    )


def _entries(chunk: KnowledgeChunk, row: NumberedRow, linked: set[str]) -> Iterator[ExtractedTriplet]:
    label, *entries = [" ".join(cell.split()) for cell in row.cells] or [""]
    for column, entry in enumerate(entries, start=1):
        subject = subject_of(chunk.header, column, chunk.title)
        text = about(chunk.title if subject != chunk.title else "", f"{subject}: {label} is {entry}")
        weight = 2.0 if entry in linked else 1.0
        if label and (made := statement(subject, label, entry, text, keywords=label, weight=weight, row=row.number)):
            yield made
