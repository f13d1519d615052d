"""Divide cells of a ruled grid that contain several rows, as only the header or the columns are ruled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from backtrail.ingest.pdf.fragments import Fragment, joined, read_rows
from backtrail.ingest.pdf.geometry import union
from backtrail.ingest.pdf.gutters import pieces
from backtrail.ingest.pdf.tables.column_zones import (
    Zone,
    across_columns,
    column_zones,
    columns_of,
    keeps_to,
    place,
    within,
)
from backtrail.ingest.pdf.tables.columns import continues
from backtrail.ingest.pdf.tables.grid import Cell, is_number, with_line

Held = tuple[Cell, list[Fragment]]
"""A cell with the fragments in it."""

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.15: pairs -5 right, +2 found; at 0.6: pairs -8 right, -39 found.
_SEVERAL = 0.3  # minimum share of lines with several pieces in a cell that frames several rows
# At 0.5: pairs +6 right, -34 found.
_FRAMED = 0.25  # maximum share of letters in frames; above, the rules arrange a page or a form
_ASTRIDE = 0.1  # maximum share of lines that cross the columns of the header


def cell_text(fragments: Sequence[Fragment]) -> str:
    """Return the text of a cell, its lines joined."""
    text = ""
    for row in read_rows(fragments):
        text = with_line(text, joined(row.fragments))
    return text


def divide_cells(cells: Sequence[Held], rows: int, xs: Sequence[float]) -> list[Held] | None:
    """Divide the cells that contain several rows; None if the rules only frame parts of a page.

    Args:
        cells: cells of the grid.
        rows: number of its rows.
        xs: edges of its columns.
    """
    zones = column_zones([cell for cell, _ in cells], xs)
    by_row: defaultdict[int, list[Held]] = defaultdict(list)
    for cell, inside in cells:
        by_row[cell.row].append((cell, inside))
    result: list[Held] = []
    whole: list[Held] = []
    starts = [0]  # the first divided row of each row of the grid
    framed = 0
    for row in range(rows):
        single = [held for held in by_row[row] if held[0].end_row == row + 1]
        several = [held for held in by_row[row] if held[0].end_row > row + 1]
        lines = _by_columns(single[0], zones) if len(single) == 1 and not several else []
        bases = _shared_lines(single, beside=bool(several)) if not lines else []
        if lines:
            result += [(_lowered(cell, starts[row]), inside) for cell, inside in lines]
        elif bases:
            result += _line_by_line(single, bases, starts[row])
            whole += several
        else:
            framed += sum(_letters(inside) for _, inside in by_row[row] if _holds_columns(inside))
            whole += by_row[row]
        starts.append(starts[row] + (lines[-1][0].row + 1 if lines else max(1, len(bases))))
    if framed > _FRAMED * sum(_letters(inside) for _, inside in cells):
        return None
    result += [(_stretched(cell, starts), inside) for cell, inside in whole]
    result = [part for cell, inside in result for part in across_columns(cell, inside, zones)]
    return sorted(result, key=lambda held: (held[0].row, held[0].column))


def _letters(fragments: Sequence[Fragment]) -> int:
    return sum(len(fragment.text) for fragment in fragments)


def _lowered(cell: Cell, by: int) -> Cell:
    return Cell(cell.text, cell.row + by, cell.column, cell.end_row + by, cell.end_column, cell.box)


def _stretched(cell: Cell, starts: Sequence[int]) -> Cell:
    """Extend a cell over all divided rows of the rows that it covers."""
    return Cell(cell.text, starts[cell.row], cell.column, starts[cell.end_row], cell.end_column, cell.box)


def _holds_columns(fragments: Sequence[Fragment]) -> bool:
    """Whether the lines of a cell have several pieces."""
    rows = read_rows(fragments)
    return len(rows) >= 3 and sum(len(pieces(row)) > 1 for row in rows) >= _SEVERAL * len(rows)


def _by_columns(held: Held, zones: Sequence[Zone]) -> list[Held]:
    """Divide a cell below all columns of the header, if its lines are aligned to them; rows are counted from 0."""
    cell, inside = held
    crossed = within(zones, cell)
    lines = [pieces(row) for row in read_rows(inside)]
    if len(crossed) < 2 or not lines:
        return []
    placed = [place(line, crossed) for line in lines]
    kept = [line for line in placed if line is not None]
    in_columns = [line for line in kept if keeps_to(crossed, line)]
    several = _holds_columns(inside) or (len(lines) > 1 and 2 * len(in_columns) >= len(lines))
    if not several or len(lines) - len(kept) > _ASTRIDE * len(lines):
        return []
    starts = columns_of(crossed)
    rows: list[dict[int, list[Fragment]]] = []
    for line, whole in zip(placed, lines, strict=True):
        parts = line if line is not None else [(0, piece) for piece in whole]
        if not rows or not continues(parts, len(starts)):
            rows.append({})
        for column, piece in parts:
            rows[-1].setdefault(column, []).extend(piece.fragments)
    return [
        (_cell_of(part, number, starts[column]), part)
        for number, row in enumerate(rows)
        for column, part in row.items()
    ]


def _cell_of(fragments: list[Fragment], row: int, column: int) -> Cell:
    box = union([fragment.box for fragment in fragments])
    return Cell(cell_text(fragments), row, column, row + 1, column + 1, box)


def _shared_lines(group: Sequence[Held], *, beside: bool) -> list[float]:
    """Return the baselines that most cells of a grid row share; none if they contain running text.

    Two lines are rows only if two columns have figures on both; the same applies to more lines ``beside`` a cell that
    extends into the next row of the grid.
    """
    columns = [[(row.base, joined(row.fragments)) for row in read_rows(inside)] for _, inside in group if inside]
    longest = max(columns, key=len, default=[])
    if len(longest) < 2:
        return []
    same = [
        column
        for column in columns
        if len(column) >= 0.6 * len(longest)
        and all(any(abs(base - other) <= 2.0 for other, _ in longest) for base, _ in column)
    ]
    figures = sum(len(column) == len(longest) and all(is_number(text) for _, text in column) for column in same)
    enough = 0.5 * len(columns) if figures >= 2 else 0.75 * len(columns)
    if len(same) < max(2, enough) or ((beside or len(longest) == 2) and figures < 2):
        return []
    return [base for base, _ in longest]


def _line_by_line(group: Sequence[Held], bases: Sequence[float], first: int) -> list[Held]:
    """Divide every cell of a grid row at its lines; a cell with one line spans all of them."""
    result: list[Held] = []
    for cell, inside in group:
        lines: list[list[Fragment]] = [[] for _ in bases]
        for fragment in inside:
            lines[min(range(len(bases)), key=lambda n: abs(bases[n] - fragment.base))].append(fragment)
        if sum(map(bool, lines)) <= 1:
            whole = Cell(cell.text, first, cell.column, first + len(bases), cell.end_column, cell.box)
            result.append((whole, inside))
            continue
        for number, line in enumerate(lines, start=first):
            box = union([fragment.box for fragment in line]) if line else cell.box
            place = (cell.box[0], box[1], cell.box[2], box[3])
            result.append((Cell(cell_text(line), number, cell.column, number + 1, cell.end_column, place), line))
    return result
