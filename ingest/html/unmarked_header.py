"""Detect header rows without ``th`` by style and contents, as in workbooks."""

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
"""Maximum number of rows that are examined."""
_SHADED = re.compile(r"background(?:-color)?\s*:|font-weight\s*:\s*(?:bold|[6-9]00)", re.I)
_NAMED = re.compile(r"\b(?:t?head(?:er|ing)?|colhead|title-?row)\b", re.I)
_COLUMNS = 3
"""Minimum number of columns; with fewer, a row of names looks like a name with its value."""


def unmarked_header(texts: Sequence[Sequence[str]], cells: Sequence[Sequence[Any]]) -> int:
    """Return the number of leading header rows of a table without ``th``; 0 if undecided.

    Args:
        texts: text of every slot, row by row, with resolved spans.
        cells: elements of each row.
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
    """Return whether all filled cells of a row are bold, shaded or have a header's class."""
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
    """Return whether all text of a cell is bold."""
    inside = cell
    while len(inside) == 1 and not (inside.text or "").strip() and not (inside[0].tail or "").strip():
        inside = inside[0]
        if inside.tag in ("b", "strong", "h3", "h4", "h5"):
            return True
    return False
