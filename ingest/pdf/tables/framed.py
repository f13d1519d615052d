"""Frames side by side, each around a separate table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from backtrail.ingest.pdf.fragments import Fragment, read_rows
from backtrail.ingest.pdf.gutters import GUTTER, pieces
from backtrail.ingest.pdf.tables.columns import column_strips, table_of
from backtrail.ingest.pdf.tables.grid import Cell, FoundTable, is_number
from backtrail.ingest.pdf.tables.narrow_columns import cut_finely
from backtrail.ingest.sheets.cell_kinds import is_missing

_IN_COLUMNS = 0.6  # minimum share of lines with several pieces
_COLUMNS = 3


def framed_tables(cells: Sequence[tuple[Cell, list[Fragment]]]) -> list[FoundTable]:
    """Return the tables in the cells of a grid row; none unless every cell with words has one."""
    filled = [(cell, inside) for cell, inside in cells if inside]
    found = [_within(cell, inside) for cell, inside in filled]
    tables = [table for table in found if table is not None]
    return tables if len(filled) >= 2 and len(tables) == len(filled) else []


def _within(cell: Cell, inside: Sequence[Fragment]) -> FoundTable | None:
    rows = read_rows(inside)
    cut = [pieces(row) for row in rows]
    if len(rows) < 2 or sum(len(row) > 1 for row in cut) < _IN_COLUMNS * len(rows):
        return None
    strips = column_strips(cut, median(row.size for row in rows))
    if len(strips) < _COLUMNS - 1:
        return None
    fine, parted = cut_finely(rows, strips, GUTTER)
    table = table_of(rows, fine, parted, cell.box)
    return table if table is not None and _names_its_rows(table) else None


def _names_its_rows(table: FoundTable) -> bool:
    """Whether every row begins with words; figures would mean that a rule divides one table."""
    first = [row[0] for row in table.slots()[table.heads :]]
    return all(first) and not any(is_number(text) or is_missing(text) for text in first)
