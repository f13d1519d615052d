"""Divide cells of a ruled grid that span columns although their words are aligned to them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backtrail.ingest.pdf.fragments import Fragment, joined, read_rows
from backtrail.ingest.pdf.gutters import Piece, pieces
from backtrail.ingest.pdf.tables.grid import Cell, is_number

_SLACK = 3.0  # points
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.25: 2 pages.
_GUTTER = 0.5  # of the font size: narrower than elsewhere, as the columns are known
_NOTHING = frozenset({"-", "–", "—", "−", "...", "…", "NA", "N/A", "n/a", "n.a.", "*", "x", "X"})

Zone = tuple[int, int, float, float]
"""The zone between two columns: their numbers, the end of the left one and the start of the right one."""


def column_zones(cells: Sequence[Cell], xs: Sequence[float]) -> list[Zone]:
    """Return the zones between the columns that have words of their own.

    Args:
        cells: cells of the grid.
        xs: edges of its columns; edges of shaded cells leave empty columns between them.
    """
    named = sorted({cell.column for cell in cells if cell.text and cell.end_column == cell.column + 1})
    return [(left, right, xs[left + 1], xs[right]) for left, right in pairwise(named)]


def within(zones: Sequence[Zone], cell: Cell) -> list[Zone]:
    """Return the zones that a cell spans."""
    return [zone for zone in zones if cell.column <= zone[0] and zone[1] < cell.end_column]


def columns_of(zones: Sequence[Zone]) -> list[int]:
    """Return the numbers of the columns beside consecutive zones."""
    return [zones[0][0], *(zone[1] for zone in zones)]


def place(line: Sequence[Piece], zones: Sequence[Zone]) -> list[tuple[int, Piece]] | None:
    """Return the pieces of a line, each with its column among the zones; None if one crosses a zone."""
    if any(piece.x0 < left - _SLACK and piece.x1 > right + _SLACK for piece in line for *_, left, right in zones):
        return None
    return [(sum((piece.x0 + piece.x1) / 2 > (left + right) / 2 for *_, left, right in zones), piece) for piece in line]


def keeps_to(zones: Sequence[Zone], placed: Sequence[tuple[int, Piece]]) -> bool:
    """Whether pieces are aligned to columns: figures in several of them, or one piece in each."""
    columns = {column for column, _ in placed}
    figures = {column for column, piece in placed if _is_value(joined(piece.fragments))}
    return len(figures) >= 2 or (len(columns) == len(placed) == len(zones) + 1)


def _is_value(text: str) -> bool:
    return is_number(text) or text in _NOTHING


def across_columns(cell: Cell, inside: Sequence[Fragment], zones: Sequence[Zone]) -> list[tuple[Cell, list[Fragment]]]:
    """Divide a cell of one line into one per column of its words; unchanged if they cross columns."""
    crossed = within(zones, cell)
    rows = read_rows(inside)
    whole = [(cell, list(inside))]
    if not crossed or len(rows) != 1:
        return whole
    placed = place(pieces(rows[0], _GUTTER), crossed)
    if placed is None or not keeps_to(crossed, placed):
        return whole
    starts = columns_of(crossed)
    edges = [cell.box[0], *((left + right) / 2 for *_, left, right in crossed), cell.box[2]]
    parted = []
    for number, start in enumerate(starts):
        own = [fragment for column, piece in placed if column == number for fragment in piece.fragments]
        box = (edges[number], cell.box[1], edges[number + 1], cell.box[3])
        parted.append((Cell(joined(own), cell.row, start, cell.end_row, start + 1, box), own))
    return parted
