"""Structure of an answer from a reading: numbered citations for each part, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backtrail.nodes.reading.component_views import clip
from backtrail.state.answer import Citation
from backtrail.state.answer_structure import Cell, Item, Section, Structure
from backtrail.state.structured_reading import AnswerPart, CitedPiece, Structured

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
    parts = reading.parts
    match parts[0].form if parts else "":
        case "items":
            kept, cut = _within([len(clip(one.text, ITEM_CHARACTERS)) for one in parts], MOST_ITEMS, "items")
            return {"items": [_item(one, numbering) for one in parts[:kept]], **cut}
        case "sections":
            kept, cut = _within([len(clip(one.text, SECTION_CHARACTERS)) for one in parts], MOST_SECTIONS, "sections")
            return {"sections": [_section(one, numbering) for one in parts[:kept]], **cut}
        case "table":
            return _table(parts, numbering)
        case _:
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


def _item(one: AnswerPart, numbering: Numbering) -> Item:
    return {"text": clip(one.text.strip(), ITEM_CHARACTERS), "citations": numbering.of(one.citations)}


def _section(one: AnswerPart, numbering: Numbering) -> Section:
    return {
        "heading": clip(one.heading.strip(), HEADING_CHARACTERS),
        "text": clip(one.text.strip(), SECTION_CHARACTERS),
        "citations": numbering.of(one.citations),
    }


def _table(parts: Sequence[AnswerPart], numbering: Numbering) -> Structure:
    """Return a table with rows and columns in the order of their first cells; a cell without a part is empty."""
    every = list(dict.fromkeys(one.column.strip() for one in parts))
    columns, rows = every[: MOST_COLUMNS - 1], dict[str, list[AnswerPart]]()
    for one in parts:
        rows.setdefault(one.heading.strip(), []).append(one)
    sizes = [sum(min(len(one.text), CELL_CHARACTERS) for one in cells) for cells in rows.values()]
    kept, cut = _within(sizes, MOST_ROWS, "rows")
    if every[len(columns) :]:
        columns_cut = f"{len(every) - len(columns)} of {len(every)} columns are left out."
        cut["cut"] = " ".join(filter(None, (cut.get("cut"), columns_cut)))
    table: list[list[Cell]] = [
        [
            {"text": clip(name, CELL_CHARACTERS), "citations": []},
            *(_cell([one for one in cells if one.column.strip() == column], numbering) for column in columns),
        ]
        for name, cells in list(rows.items())[:kept]
    ]
    return {"table": {"columns": ["", *(clip(one, HEADING_CHARACTERS) for one in columns)], "rows": table}, **cut}


def _cell(parts: Sequence[AnswerPart], numbering: Numbering) -> Cell:
    filled = [one for one in parts if one.text.strip()]
    return {
        "text": clip("; ".join(one.text.strip() for one in filled), CELL_CHARACTERS),
        "citations": numbering.of([piece for one in filled for piece in one.citations]),
    }
