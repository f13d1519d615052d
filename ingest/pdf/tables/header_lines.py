"""Join a table without a header to the lines above it that name its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backtrail.ingest.pdf.fragments import Row, joined
from backtrail.ingest.pdf.geometry import union
from backtrail.ingest.pdf.gutters import Piece, pieces
from backtrail.ingest.pdf.tables.grid import Cell, FoundTable, is_number
from backtrail.ingest.sheets.cell_kinds import are_periods

Span = tuple[float, float]

_GAP = 30.0  # points: maximum distance of names from the sides of their table
_MOST_HEADS = 7
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 30: 1 page.
_LONGEST = 60  # letters of a column's name
_NAMED = 0.5  # minimum share of columns that a header names
# At 0.25: 1 page, pairs +0 right, +23 found.
_GUTTER = 0.5  # of the font size
_BESIDE = 40.0  # maximum points between a name and its column
_PITCH = 1.8  # maximum distance of lines of a header, of the font size


def join_lines(lines: Sequence[Row], below: FoundTable) -> tuple[FoundTable, int] | None:
    """Join a table without a header to header lines above it; return it with the number of lines."""
    if below.heads:
        return None
    columns, top = _columns(below), below.box[1]
    cells: list[Cell] = []
    taken = 0
    named: set[int] = set()
    for row in reversed(lines[-_MOST_HEADS:]):
        cut = pieces(row, _GUTTER)
        if top - row.box[3] > _PITCH * row.size or not _are_names(cut, below):
            break
        places = [_place((piece.x0, piece.x1), columns) for piece in cut]
        if any(place is None for place in places):
            break
        taken, top = taken + 1, row.box[1]
        for piece, place in zip(cut, places, strict=True):
            if place is not None:
                box = union([fragment.box for fragment in piece.fragments])
                cells.append(Cell(joined(piece.fragments), -taken, place[0], 1 - taken, place[1], box))
                named.update(range(*place))
    if not taken or len(named) < _NAMED * len(columns) or len(named) < 2:
        return None
    for cell in cells:
        cell.row, cell.end_row = cell.row + taken, cell.end_row + taken
    return _above(_one_each(cells), taken, below), taken


def _columns(table: FoundTable) -> list[Span | None]:
    """Return the horizontal extent of each column's words, without cells that span columns."""
    held: list[list[Cell]] = [[] for _ in range(table.columns)]
    alone = Counter(cell.row for cell in table.cells if cell.text)  # a single text in a row is a group's name or a note
    several = max(alone.values(), default=0) > 1
    for cell in table.cells:
        if cell.text and cell.end_column == cell.column + 1 and (alone[cell.row] > 1 or not several):
            held[cell.column].append(cell)
    return [(min(c.box[0] for c in cells), max(c.box[2] for c in cells)) if cells else None for cells in held]


def _place(span: Span | None, columns: Sequence[Span | None]) -> tuple[int, int] | None:
    """Return the columns of a name: those whose middle it covers, else the nearest one."""
    if span is None:
        return None
    middles = [((one[0] + one[1]) / 2, number) for number, one in enumerate(columns) if one is not None]
    covered = [number for middle, number in middles if span[0] - 1 <= middle <= span[1] + 1]
    if not covered:
        near = [(_shared(columns[number], span), number) for _, number in middles]
        shared, number = max(near, default=(-_BESIDE, 0))
        if shared <= -_BESIDE:
            return None
        covered = [number]
    return covered[0], covered[-1] + 1


def _shared(one: Span | None, other: Span) -> float:
    return min(one[1], other[1]) - max(one[0], other[0]) if one is not None else 0.0


def _one_each(cells: Sequence[Cell]) -> list[Cell]:
    """Merge names of the same slot."""
    kept: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        other = kept.setdefault((cell.row, cell.column), cell)
        if other is not cell:
            other.text, other.end_column = f"{other.text} {cell.text}", max(other.end_column, cell.end_column)
    return list(kept.values())


def _above(heads: Sequence[Cell], rows: int, below: FoundTable) -> FoundTable:
    body = [_moved(cell, rows) for cell in below.cells]
    box = union([below.box, *(cell.box for cell in heads)])
    return FoundTable(box, [*heads, *body], rows, below.xs, width=below.columns)


def _moved(cell: Cell, down: int) -> Cell:
    return Cell(cell.text, cell.row + down, cell.column, cell.end_row + down, cell.end_column, cell.box)


def _are_names(line: Sequence[Piece], below: FoundTable) -> bool:
    texts = [joined(piece.fragments) for piece in line]
    if len(line) < 2 or line[0].x0 < below.box[0] - _GAP or line[-1].x1 > below.box[2] + _GAP:
        return False
    if any(len(text) > _LONGEST for text in texts):
        return False
    return are_periods(texts) or not any(map(is_number, texts))
