"""Extract the rows of a table: the subject of each row, and a statement per cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backtrail.language.label_value_tables import holds_labels
from backtrail.language.table_rows import row_sentence
from backtrail.rules.knowledge.cell_statements import cell_sentence, header_of
from backtrail.rules.knowledge.entity_names import is_value
from backtrail.rules.knowledge.extract_labels import read_labels
from backtrail.rules.knowledge.statement_parts import about, cut, statement
from backtrail.state.knowledge.chunks import (
    LONGEST_NAME,
    ExtractedEntity,
    ExtractedKnowledge,
    ExtractedTriplet,
    KnowledgeChunk,
    NumberedRow,
)

_NAMED_SHARE = 0.6  # share of a column's filled cells; below it the column does not name the rows' subjects
_SHORT = 40


def read_table(inputs: KnowledgeChunk) -> ExtractedKnowledge:
    """Return one statement per row, and one per filled cell beside the row's subject."""
    if holds_labels(inputs.header):
        return read_labels(inputs)
    column = subject_column(inputs.rows)
    linked = {(anchor.row, " ".join(anchor.text.split())) for anchor in inputs.anchors}
    triplets: list[ExtractedTriplet] = []
    entities: list[ExtractedEntity] = []
    for row in inputs.rows:
        subject = _cell(row, column) if column is not None else ""
        triplets += _row(inputs, row, subject, column, linked)
        if subject and any(character.isalnum() for character in subject):
            kind = cut(_header(inputs, column), _SHORT).casefold()
            entities.append(ExtractedEntity(name=cut(subject, LONGEST_NAME), kind="" if is_value(kind) else kind))
    return ExtractedKnowledge(entities=entities, triplets=triplets)


def subject_column(rows: Sequence[NumberedRow]) -> int | None:
    """Return the first column of mostly names (not numbers, dates or sentences); None if there is none."""
    width = max((len(row.cells) for row in rows), default=0)
    for column in range(width):
        filled = [cell for row in rows if (cell := _cell(row, column))]
        named = [cell for cell in filled if any(c.isalpha() for c in cell) and not is_value(cell)]
        if filled and len(named) >= _NAMED_SHARE * len(filled) and len(filled) >= _NAMED_SHARE * len(rows):
            return column
    return None


def _row(
    inputs: KnowledgeChunk,
    row: NumberedRow,
    subject: str,
    column: int | None,
    linked: set[tuple[int | None, str]],
) -> Iterator[ExtractedTriplet]:
    """Return the row's statements. Without a subject in the row they are about the document."""
    whole = about(inputs.title, row_sentence(inputs.caption, inputs.header, row.cells))
    head = subject or inputs.title
    of_table = inputs.caption or inputs.section
    if subject:
        name = _header(inputs, column) or of_table or "row"
        if made := statement(inputs.title, name, subject, whole, keywords=of_table, row=row.number):
            yield made
    seen: set[tuple[str, str]] = set()
    for position, cell in enumerate(" ".join(cell.split()) for cell in row.cells):
        header = _header(inputs, position)
        if not cell or position == column or (header, cell) in seen:
            continue
        seen.add((header, cell))  # a cell that spans columns is repeated in each
        text = cell_sentence(inputs, _header(inputs, column), subject, header, cell) if subject else whole
        weight = 2.0 if (row.number, cell) in linked else 1.0
        relation = header or of_table or "has"
        made = statement(head, relation, cell, text, keywords=f"{header} {of_table}", weight=weight, row=row.number)
        if made:
            yield made


def _header(inputs: KnowledgeChunk, column: int | None) -> str:
    return "" if column is None else header_of(inputs, column)


def _cell(row: NumberedRow, column: int) -> str:
    return " ".join(row.cells[column].split()) if column < len(row.cells) else ""
