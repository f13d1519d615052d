"""What a table's cell says in words: worded here once, so that no extractor has to write it."""

from __future__ import annotations

from backtrail.rules.knowledge.statement_parts import about, cut, keywords_of
from backtrail.state.knowledge.chunks import LONGEST_STATEMENT, ExtractedTriplet, KnowledgeChunk

_SHORT = 40


def cell_sentence(chunk: KnowledgeChunk, named: str, subject: str, header: str, cell: str) -> str:
    """ "Title: caption: Rower Ora Lind: Club is Velm Rowers".

    Args:
        named: header of the column that holds the subject.
        header: of the column that holds the cell.
    """
    who = f"{named} {subject}" if named and len(named) <= _SHORT else subject
    said = f"{header} is {cell}" if header else cell
    return about(chunk.title, about(chunk.caption, f"{who}: {said}"))


def header_of(chunk: KnowledgeChunk, column: int) -> str:
    """Header of a column; empty where it has none."""
    return " ".join(chunk.header[column].split()) if column < len(chunk.header) else ""


def worded(chunk: KnowledgeChunk, triplet: ExtractedTriplet) -> ExtractedTriplet:
    """A triplet of a row that came without a sentence: with one, and with keywords where it has none.

    A relation that is the header of a column is worded as a cell is, any other as it is written.
    """
    headers = [header_of(chunk, column) for column in range(len(chunk.header))]
    relation = triplet.relation
    if relation in headers:
        text = cell_sentence(chunk, _column_of(chunk, triplet), triplet.head, relation, triplet.tail)
        found = keywords_of(f"{relation} {chunk.caption or chunk.section}")
    else:
        text = about(chunk.title, about(chunk.caption, f"{triplet.head} {relation} {triplet.tail}"))
        found = []
    return triplet.model_copy(
        update={"text": cut(text.strip(), LONGEST_STATEMENT), "keywords": triplet.keywords or found}
    )


def _column_of(chunk: KnowledgeChunk, triplet: ExtractedTriplet) -> str:
    """Header of the first column in which the row names the triplet's head."""
    cells = next((row.cells for row in chunk.rows if row.number == triplet.row), [])
    for column, cell in enumerate(cells):
        if " ".join(cell.split()) == triplet.head:
            return header_of(chunk, column)
    return ""
