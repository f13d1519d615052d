"""Word table cells as sentences, for all extractors."""

from __future__ import annotations

from backtrail.rules.knowledge.statement_parts import about, cut, keywords_of
from backtrail.state.knowledge.chunks import LONGEST_STATEMENT, ExtractedTriplet, KnowledgeChunk

_SHORT = 40


def cell_sentence(chunk: KnowledgeChunk, named: str, subject: str, header: str, cell: str) -> str:
    """Format a cell as a sentence, such as "Title: caption: Rower Ora Lind: Club is Velm Rowers".

    Args:
        named: header of the subject's column.
        header: header of the cell's column.
    """
    who = f"{named} {subject}" if named and len(named) <= _SHORT else subject
    cell_text = f"{header} is {cell}" if header else cell
    return about(chunk.title, about(chunk.caption, f"{who}: {cell_text}"))


def header_of(chunk: KnowledgeChunk, column: int) -> str:
    """Return the header of a column; empty if it has none."""
    return " ".join(chunk.header[column].split()) if column < len(chunk.header) else ""


class RowWording:
    """Words triplets of a chunk's rows that have no sentence."""

    def __init__(self, chunk: KnowledgeChunk) -> None:
        self._chunk = chunk
        self._headers = {header_of(chunk, column) for column in range(len(chunk.header))}
        self._cells = {row.number: row.cells for row in reversed(chunk.rows)}  # of equal numbers the first row

    def worded(self, triplet: ExtractedTriplet) -> ExtractedTriplet:
        """Add a sentence to the triplet, and keywords if it has none.

        A relation that is a column header is worded like a cell, any other as written.
        """
        chunk, relation = self._chunk, triplet.relation
        if relation in self._headers:
            text = cell_sentence(chunk, self._column_of(triplet), triplet.head, relation, triplet.tail)
            found = keywords_of(f"{relation} {chunk.caption or chunk.section}")
        else:
            text = about(chunk.title, about(chunk.caption, f"{triplet.head} {relation} {triplet.tail}"))
            found = []
        return triplet.model_copy(
            update={"text": cut(text.strip(), LONGEST_STATEMENT), "keywords": triplet.keywords or found}
        )

    def _column_of(self, triplet: ExtractedTriplet) -> str:
        """Return the header of the first column in which the row names the triplet's head."""
        cells = self._cells.get(triplet.row, []) if triplet.row is not None else []
        for column, cell in enumerate(cells):
            if " ".join(cell.split()) == triplet.head:
                return header_of(self._chunk, column)
        return ""
