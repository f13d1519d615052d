"""Cells of a ruled grid that run across columns though their words keep to them: only every second row is ruled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backtrail.ingest.pdf.fragments import Fragment, joined, read_rows
from backtrail.ingest.pdf.gutters import Piece, pieces
from backtrail.ingest.pdf.tables.grid import Cell, is_number

_SLACK = 3.0  # points
_GUTTER = 0.5  # of the size: where the columns are known, narrower gaps part them
_NOTHING = frozenset({"-", "–", "—", "−", "...", "…", "NA", "N/A", "n/a", "n.a.", "*", "x", "X"})

Zone = tuple[int, int, float, float]
"""Between two columns: their numbers, where the left one ends and where the right one begins."""


def column_zones(cells: Sequence[Cell], xs: Sequence[float]) -> list[Zone]:
    """What lies between the columns that hold words of their own.

    Args:
        cells: of the grid.
        xs: the edges of its columns; those of shaded cells leave columns between them in which nothing stands.
    """
    named = sorted({cell.column for cell in cells if cell.text and cell.end_column == cell.column + 1})
    return [(left, right, xs[left + 1], xs[right]) for left, right in pairwise(named)]


def within(zones: Sequence[Zone], cell: Cell) -> list[Zone]:
    """The zones that a cell runs across."""
    return [zone for zone in zones if cell.column <= zone[0] and zone[1] < cell.end_column]


def columns_of(zones: Sequence[Zone]) -> list[int]:
    """The numbers of the columns that lie beside zones that follow each other."""
    return [zones[0][0], *(zone[1] for zone in zones)]


def place(line: Sequence[Piece], zones: Sequence[Zone]) -> list[tuple[int, Piece]] | None:
    """The pieces of a line, each with the number of its column among the zones; None if one stands in two columns."""
    if any(piece.x0 < left - _SLACK and piece.x1 > right + _SLACK for piece in line for *_, left, right in zones):
        return None
    return [(sum((piece.x0 + piece.x1) / 2 > (left + right) / 2 for *_, left, right in zones), piece) for piece in line]


def keeps_to(zones: Sequence[Zone], placed: Sequence[tuple[int, Piece]]) -> bool:
    """Whether pieces stand in columns: figures in several of them, or something in every one."""
    columns = {column for column, _ in placed}
    figures = {column for column, piece in placed if _is_value(joined(piece.fragments))}
    return len(figures) >= 2 or (len(columns) == len(placed) == len(zones) + 1)


def _is_value(text: str) -> bool:
    return is_number(text) or text in _NOTHING


def across_columns(cell: Cell, inside: Sequence[Fragment], zones: Sequence[Zone]) -> list[tuple[Cell, list[Fragment]]]:
    """A cell of one line as a cell for each column its words stand in; as it is if they run across."""
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
        held = [fragment for column, piece in placed if column == number for fragment in piece.fragments]
        box = (edges[number], cell.box[1], edges[number + 1], cell.box[3])
        parted.append((Cell(joined(held), cell.row, start, cell.end_row, start + 1, box), held))
    return parted
