"""Structure of an answer as a model writes it: a list, a table or sections, with citations for each part (ours)."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from backtrail.state.decision import Part


class CitedPiece(Part):
    """What the answer rests on: a component, and its row or sentence if one is meant."""

    component: str
    row: int | None = None
    sentence: int | None = None


class ListItem(Part):
    """One thing of a list."""

    text: str
    citations: list[CitedPiece] = Field(default_factory=list[CitedPiece])


class TableCell(Part):
    """A value with its source; "" where no value was found."""

    text: str = ""
    source: CitedPiece | None = None


class TableRow(Part):
    """One cell for each column; the first names the row."""

    cells: list[TableCell]


class AnswerTable(Part):
    """A comparison: what is compared in rows, by what in columns."""

    columns: list[str]
    rows: list[TableRow]


class TextSection(Part):
    """A heading with its text in Markdown."""

    heading: str
    text: str
    citations: list[CitedPiece] = Field(default_factory=list[CitedPiece])


class Structured(Part):
    """Exactly one of a list, a table and sections, or none."""

    items: list[ListItem] = Field(default_factory=list[ListItem])
    table: AnswerTable | None = None
    sections: list[TextSection] = Field(default_factory=list[TextSection])

    @property
    def structure_pieces(self) -> Iterator[CitedPiece]:
        """What the parts cite, in their order."""
        for one in (*self.items, *self.sections):
            yield from one.citations
        for cell in (cell for row in (self.table.rows if self.table else ()) for cell in row.cells):
            yield from [cell.source] if cell.source else []


def structure_problems(structured: Structured, *, cited: bool) -> list[str]:
    """Check that there is one structure at most and, where ``cited``, that each of its parts has a source."""
    given = [name for name in ("items", "table", "sections") if getattr(structured, name)]
    problems = [f"Give one of {' and '.join(given)}; the others stay empty."] if len(given) > 1 else []
    if cited:
        bare = [f"item {number}" for number, one in enumerate(structured.items, 1) if not one.citations]
        bare += [f"section {number}" for number, one in enumerate(structured.sections, 1) if not one.citations]
        rows = structured.table.rows if structured.table else []
        bare += [
            f"row {number}, column {column} of the table"
            for number, row in enumerate(rows, 1)
            for column, cell in enumerate(row.cells[1:], 2)
            if cell.text.strip() and not cell.source
        ]
        problems += [f"These parts cite nothing: {'; '.join(bare)}. Cite a source, or leave them out."] if bare else []
    return problems
