"""Structure of an answer from a reading: numbered citations for each part, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backtrail.nodes.reading.component_views import clip
from backtrail.state.answer import Citation
from backtrail.state.answer_structure import Cell, Item, Section, Structure
from backtrail.state.structured_reading import AnswerTable, CitedPiece, ListItem, Structured, TableRow, TextSection

# Bounds of what an answer holds (ours): a few screens.
MOST_ITEMS, MOST_ROWS, MOST_COLUMNS, MOST_SECTIONS = 200, 100, 12, 30
ITEM_CHARACTERS, CELL_CHARACTERS, HEADING_CHARACTERS, SECTION_CHARACTERS = 1_000, 300, 200, 4_000
STRUCTURE_CHARACTERS = 24_000


class Numbering:
    """Citations in the order of first use, with their numbers from 1; a piece that is cited again keeps its number.

    Args:
        cite: makes the citations of a piece; a computation has one for each table.
    """

    def __init__(self, cite: Callable[[CitedPiece], Sequence[Citation]]) -> None:
        self.citations: list[Citation] = []
        self._cite = cite
        self._numbers: dict[tuple[str, int | None, int | None], list[int]] = {}

    def of(self, pieces: Sequence[CitedPiece]) -> list[int]:
        """Return the numbers of pieces, each once, and cite those that are new."""
        for piece in pieces:
            key = (piece.component, piece.row, piece.sentence)
            if key not in self._numbers:
                cited = self._cite(piece)
                self._numbers[key] = [len(self.citations) + number for number in range(1, len(cited) + 1)]
                self.citations += cited
        keys = [(piece.component, piece.row, piece.sentence) for piece in pieces]
        return list(dict.fromkeys(number for key in keys for number in self._numbers[key]))


def structured(reading: Structured, numbering: Numbering) -> Structure:
    """Return the structure of a reading. What exceeds a bound is cut, and the structure says so."""
    if reading.items:
        sizes = [len(clip(one.text, ITEM_CHARACTERS)) for one in reading.items]
        kept, cut = _within(sizes, MOST_ITEMS, "items")
        return {"items": [_item(one, numbering) for one in reading.items[:kept]], **cut}
    if reading.table and reading.table.columns and reading.table.rows:
        return _table(reading.table, numbering)
    if reading.sections:
        sizes = [len(clip(one.text, SECTION_CHARACTERS)) for one in reading.sections]
        kept, cut = _within(sizes, MOST_SECTIONS, "sections")
        return {"sections": [_section(one, numbering) for one in reading.sections[:kept]], **cut}
    return {}


def _within(sizes: Sequence[int], most: int, noun: str) -> tuple[int, Structure]:
    """Return how many entries fit the bounds, and the note on the others."""
    left, kept = STRUCTURE_CHARACTERS, 0
    for size in sizes[:most]:
        left -= size
        if left < 0:
            break
        kept += 1
    return kept, {"cut": f"{len(sizes) - kept} of {len(sizes)} {noun} are left out."} if kept < len(sizes) else {}


def _item(one: ListItem, numbering: Numbering) -> Item:
    return {"text": clip(one.text.strip(), ITEM_CHARACTERS), "citations": numbering.of(one.citations)}


def _section(one: TextSection, numbering: Numbering) -> Section:
    return {
        "heading": clip(one.heading.strip(), HEADING_CHARACTERS),
        "text": clip(one.text.strip(), SECTION_CHARACTERS),
        "citations": numbering.of(one.citations),
    }


def _table(table: AnswerTable, numbering: Numbering) -> Structure:
    """Return a table whose rows have a cell for each column."""
    columns = [clip(column.strip(), HEADING_CHARACTERS) for column in table.columns[:MOST_COLUMNS]]
    sizes = [sum(min(len(cell.text), CELL_CHARACTERS) for cell in row.cells[:MOST_COLUMNS]) for row in table.rows]
    kept, cut = _within(sizes, MOST_ROWS, "rows")
    if len(table.columns) > MOST_COLUMNS:
        columns_cut = f"{len(table.columns) - MOST_COLUMNS} of {len(table.columns)} columns are left out."
        cut["cut"] = " ".join(filter(None, (cut.get("cut"), columns_cut)))
    rows = [_cells(row, len(columns), numbering) for row in table.rows[:kept]]
    return {"table": {"columns": columns, "rows": rows}, **cut}


def _cells(row: TableRow, columns: int, numbering: Numbering) -> list[Cell]:
    cells: list[Cell] = [
        {
            "text": clip(cell.text.strip(), CELL_CHARACTERS),
            "citations": numbering.of([cell.source] if cell.source and cell.text.strip() else []),
        }
        for cell in row.cells[:columns]
    ]
    return cells + [Cell(text="", citations=[]) for _ in range(columns - len(cells))]
