"""Detect header rows without ``th`` by style and contents, as in workbooks.

Of 279 saved pages with tables, 39 have such rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backtrail.ingest.html.rewrites.tree import said
from backtrail.ingest.sheets.blocks import Block
from backtrail.ingest.sheets.cell_kinds import holds_values, is_number
from backtrail.ingest.sheets.header import divide
from backtrail.ingest.sheets.sheet import CellRange

_MOST_ROWS = 200
"""Maximum number of rows that are examined."""
_COLUMNS = 3
"""Minimum number of columns of a table without a bold row; with fewer, a row of names looks like a name with its value.
It also needs numbers: of tables of words only, the first row named the columns on 7 of 24 pages."""


def unmarked_header(texts: Sequence[Sequence[str]], cells: Sequence[Sequence[Any]]) -> int:
    """Return the number of leading header rows of a table without ``th``; 0 if undecided.

    Args:
        texts: text of every slot, row by row, with resolved spans.
        cells: elements of each row.
    """
    if len(texts) < 2 or len(texts[0]) < 2:
        return 0
    rows = [list(row) for row in texts[:_MOST_ROWS]]
    bold = [_all_bold(row) for row in cells[:_MOST_ROWS]]
    marked = bold[0] and not all(bold)
    if not marked and (len(rows[0]) < _COLUMNS or not any(map(holds_values, rows))):
        return 0
    block = Block(CellRange(0, 0, len(rows) - 1, len(rows[0]) - 1), rows)
    block.emphasised = bold
    layout = divide(block)
    if layout.header and all(is_number(cell) for cell in rows[layout.titles + layout.header - 1] if cell):
        return 0
    titled = layout.titles == 1 and len(set(rows[0])) == 1
    return layout.titles + layout.header if layout.header and (titled or not layout.titles) else 0


def _all_bold(cells: Sequence[Any]) -> bool:
    """Return whether all filled cells of a row are bold."""
    filled = [cell for cell in cells if said(cell)]
    return bool(filled) and all(_is_bold(cell) for cell in filled)


def _is_bold(cell: Any) -> bool:
    """Return whether all text of a cell is bold."""
    inside = cell
    while len(inside) == 1 and not (inside.text or "").strip() and not (inside[0].tail or "").strip():
        inside = inside[0]
        if inside.tag in ("b", "strong", "h3", "h4", "h5"):
            return True
    return False
