"""Columns of a table without rules: divided by strips that are white in nearly all rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.fragments import Row, joined
from backtrail.ingest.pdf.geometry import Box, union
from backtrail.ingest.pdf.gutters import Piece, Strip
from backtrail.ingest.pdf.tables.grid import Cell, FoundTable, is_number
from backtrail.ingest.pdf.tables.header_rows import ruled_heads, words_heads

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.06: 2 pages, pairs +0 right, -1 found; at 0.24: 5 pages, pairs +1 right, +6 found.
_CROSSED = 0.12  # maximum share of rows that cross a strip (names of groups, long headers)
# At 0.175: 3 pages, pairs +0 right, +1 found; at 0.7: 8 pages, pairs +0 right, -31 found.
_STRIP = 0.35  # minimum width of a strip between columns, of the font size


def column_strips(rows: Sequence[Sequence[Piece]], size: float) -> list[Strip]:
    """Return the strips between columns, from left to right."""
    several = [row for row in rows if len(row) > 1] or list(rows)
    allowed = int(_CROSSED * len(several))
    edges = sorted(
        [(piece.x0, 1) for row in several for piece in row] + [(piece.x1, -1) for row in several for piece in row]
    )
    strips: list[Strip] = []
    depth, opened = 0, None
    first, last = edges[0][0], edges[-1][0]
    for x, step in edges:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            opened = x
        elif before <= allowed < depth and opened is not None:
            if x - opened >= _STRIP * size and first < opened and x < last:
                strips.append((opened, x))
            opened = None
    return strips


def piece_columns(row: Sequence[Piece], strips: Sequence[Strip]) -> list[tuple[int, Piece]]:
    """Return the column in which each piece of a row begins."""
    edges = [(left + right) / 2 for left, right in strips]
    return [(sum(piece.x0 + 1.0 > edge for edge in edges), piece) for piece in row]


def table_of(
    rows: Sequence[Row],
    cut: Sequence[Sequence[Piece]],
    strips: Sequence[Strip],
    box: Box,
    *,
    heads: int | None = None,
    partial: Sequence[Rule] = (),
) -> FoundTable | None:
    """Make a table from rows and strips.

    Args:
        rows: rows from the top.
        cut: pieces of the rows.
        strips: strips between the columns.
        box: box of the table.
        heads: number of header rows; None if there are no rules to tell.
        partial: rules below headers that span columns.
    """
    edges = [box[0] - 1, *((left + right) / 2 for left, right in strips), box[2] + 1]
    columns = len(edges) - 1
    placed = [piece_columns(row, strips) for row in cut]
    texts = row_texts(placed, columns)
    counted = words_heads(texts) if heads is None else ruled_heads(texts, heads)
    middles = _middles(placed[counted:], edges)
    cells: list[Cell] = []
    number = -1
    for index, parts in enumerate(placed):
        if index >= counted and cells and continues(parts, columns) and number >= counted:
            _continue(cells, number, parts)
            continue
        number += 1
        for column, piece in parts:
            covered = _covered(piece, rows[index], middles, partial) if index < counted else (column, column + 1)
            place = union([fragment.box for fragment in piece.fragments])
            cells.append(Cell(joined(piece.fragments), number, covered[0], number + 1, covered[1], place))
    if number < 1 or len({cell.column for cell in cells}) < 2:
        return None
    starts = tuple(min((c.box[0] for c in cells if c.column == n), default=edges[n]) for n in range(columns))
    return FoundTable(box, one_per_slot(cells), min(counted, number), starts, width=columns)


def row_texts(placed: Sequence[Sequence[tuple[int, Piece]]], columns: int) -> list[list[str]]:
    """Return the words of every row by column."""
    texts = [[""] * columns for _ in placed]
    for number, row in enumerate(placed):
        for column, piece in row:
            texts[number][column] = f"{texts[number][column]} {joined(piece.fragments)}".strip()
    return texts


def continues(parts: Sequence[tuple[int, Piece]], columns: int) -> bool:
    """Whether a row only continues cells of the row above: few, without the first, without figures."""
    filled = {column for column, _ in parts}
    few = len(filled) <= max(1, columns // 2)
    return 0 not in filled and few and not any(is_number(joined(piece.fragments)) for _, piece in parts)


def _continue(cells: list[Cell], row: int, parts: Sequence[tuple[int, Piece]]) -> None:
    for column, piece in parts:
        place = union([fragment.box for fragment in piece.fragments])
        above = next((cell for cell in reversed(cells) if cell.row == row and cell.column == column), None)
        if above is None:
            cells.append(Cell(joined(piece.fragments), row, column, row + 1, column + 1, place))
        else:
            above.text = f"{above.text} {joined(piece.fragments)}"
            above.box = union([above.box, place])


def _middles(body: Sequence[Sequence[tuple[int, Piece]]], edges: Sequence[float]) -> list[float]:
    """Return the middle of each column's pieces below the header."""
    middles = []
    for column, (left, right) in enumerate(pairwise(edges)):
        own = [piece for row in body for at, piece in row if at == column]
        start, end = min((p.x0 for p in own), default=left), max((p.x1 for p in own), default=right)
        middles.append((start + min(end, right)) / 2)
    return middles


def _covered(piece: Piece, row: Row, middles: Sequence[float], partial: Sequence[Rule]) -> tuple[int, int]:
    """Return the columns below a header: those of a rule directly below it, else those whose middle it covers."""
    x0, x1 = piece.x0, piece.x1
    for rule in partial:
        if 0 <= rule.at - row.base <= 1.5 * row.size and rule.start - 2 <= (x0 + x1) / 2 <= rule.end + 2:
            x0, x1 = rule.start, rule.end
            break
    covered = [n for n, middle in enumerate(middles) if x0 - 1.0 <= middle <= x1 + 1.0]
    if not covered:
        covered = [min(range(len(middles)), key=lambda n: abs(middles[n] - (x0 + x1) / 2))]
    return covered[0], covered[-1] + 1


def one_per_slot(cells: Sequence[Cell]) -> list[Cell]:
    """Merge the pieces of one row and column into one cell."""
    kept: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        other = kept.setdefault((cell.row, cell.column), cell)
        if other is not cell:
            other.text = f"{other.text} {cell.text}"
            other.box = union([other.box, cell.box])
    return list(kept.values())
