"""Header rows that no ``th`` marks: told by their looks, and by what stands in them, as in workbooks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from backtrail.ingest.html.rewrites.tree import said
from backtrail.ingest.sheets.blocks import Block
from backtrail.ingest.sheets.cell_kinds import is_number
from backtrail.ingest.sheets.header import divide
from backtrail.ingest.sheets.sheet import CellRange

_MOST_ROWS = 200
"""Rows looked at; the header is decided by the first few and the kinds of values below them."""
_SHADED = re.compile(r"background(?:-color)?\s*:|font-weight\s*:\s*(?:bold|[6-9]00)", re.I)
_NAMED = re.compile(r"\b(?:t?head(?:er|ing)?|colhead|title-?row)\b", re.I)
_COLUMNS = 3
"""With fewer columns, a row of names looks like a name with its value."""


def unmarked_header(texts: Sequence[Sequence[str]], cells: Sequence[Sequence[Any]]) -> int:
    """How many leading rows of a table without any ``th`` name its columns; 0 where that cannot be told.

    Args:
        texts: what stands in every slot, row by row; spans are resolved.
        cells: the elements of each row.
    """
    if len(texts) < 2 or len(texts[0]) < 2:
        return 0
    rows = [list(row) for row in texts[:_MOST_ROWS]]
    stands_out = [_stands_out(row) for row in cells[:_MOST_ROWS]]
    marked = stands_out[0] and not all(stands_out)
    if not marked and len(rows[0]) < _COLUMNS:
        return 0
    block = Block(CellRange(0, 0, len(rows) - 1, len(rows[0]) - 1), rows)
    block.emphasised = stands_out
    layout = divide(block)
    if layout.header and all(is_number(cell) for cell in rows[layout.titles + layout.header - 1] if cell):
        return 0
    titled = layout.titles == 1 and len(set(rows[0])) == 1
    return layout.titles + layout.header if layout.header and (titled or not layout.titles) else 0


def _stands_out(cells: Sequence[Any]) -> bool:
    """Whether all cells of a row that say something are bold, on colour or called heads."""
    filled = [cell for cell in cells if said(cell)]
    row = next((cell.getparent() for cell in filled), None)
    if row is not None and _looks(row):
        return True
    return bool(filled) and all(_looks(cell) or _is_bold(cell) for cell in filled)


def _looks(element: Any) -> bool:
    if element.get("bgcolor") or _SHADED.search(element.get("style", "")[:500]):
        return True
    return _NAMED.search(element.get("class", "")[:200]) is not None


def _is_bold(cell: Any) -> bool:
    """Whether all that a cell says is bold."""
    inside = cell
    while len(inside) == 1 and not (inside.text or "").strip() and not (inside[0].tail or "").strip():
        inside = inside[0]
        if inside.tag in ("b", "strong", "h3", "h4", "h5"):
            return True
    return False
