"""Tables of Word as elements: merged cells as spans, header rows as marked or as they look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from backtrail.ingest.html.grid import MAX_COLUMNS, Span, resolve_grid
from backtrail.ingest.sheets.blocks import Block
from backtrail.ingest.sheets.header import divide
from backtrail.ingest.sheets.sheet import CellRange
from backtrail.ingest.word.elements import child, new, says
from backtrail.ingest.word.names import W, is_on, local, value

_PLAIN_FILLS = frozenset({"", "auto", "ffffff"})
_THROUGH = frozenset({"sdt", "sdtContent", "customXml", "ins"})


@dataclass
class _Cell:
    element: Any
    column: int
    columns: int
    rows: int = 1


def table_with_header(table: Any, read_cell: Callable[[Any, Any], None]) -> Any:
    """A table as an element.

    Args:
        table: the ``w:tbl``.
        read_cell: writes the blocks of a cell into an element.
    """
    rows, marked = _rows(table, read_cell)
    made = new("table")
    caption = value(table.find(f"{W}tblPr/{W}tblCaption"))
    if caption:
        child(made, "caption").text = caption
    header = marked or _seen_header(table, rows)
    head = child(made, "thead") if header else None
    body = child(made, "tbody")
    for number, row in enumerate(rows):
        element = child(head if head is not None and number < header else body, "tr")
        for cell in row:
            cell.element.tag = "th" if number < header else "td"
            if cell.columns > 1:
                cell.element.set("colspan", str(cell.columns))
            if cell.rows > 1:
                cell.element.set("rowspan", str(cell.rows))
            element.append(cell.element)
    return made


def _rows(table: Any, read_cell: Callable[[Any, Any], None]) -> tuple[list[list[_Cell]], int]:
    """The cells of each row, those that go on from above counted to the cell that they belong to."""
    rows: list[list[_Cell]] = []
    marked = 0
    open_cells: dict[int, _Cell] = {}
    for row in _inner(table, "tr"):
        properties = row.find(f"{W}trPr")
        if is_on(properties.find(f"{W}tblHeader") if properties is not None else None) and marked == len(rows):
            marked += 1
        cells: list[_Cell] = []
        column = _count(properties, "gridBefore", 0)
        for cell in _inner(row, "tc"):
            settings = cell.find(f"{W}tcPr")
            columns = _count(settings, "gridSpan", 1)
            merge = settings.find(f"{W}vMerge") if settings is not None else None
            above = open_cells.get(column)
            if merge is not None and value(merge) != "restart" and above is not None:
                above.rows += 1
            else:
                element = new("td")
                read_cell(cell, element)
                if len(element) == 1 and element[0].tag == "p":
                    element[0].tag = "span"  # a table of plain cells holds data, even in one row
                made = _Cell(element, column, columns)
                cells.append(made)
                open_cells.pop(column, None)
                if merge is not None:
                    open_cells[column] = made
            column = min(column + columns, MAX_COLUMNS)
        rows.append(cells)
    return rows, marked if marked < len(rows) else min(1, marked)


def _inner(element: Any, name: str) -> list[Any]:
    """Rows or cells of a table, also those in content controls; not those of tables inside it."""
    found: list[Any] = []
    pending = list(reversed(element))
    while pending:
        part = pending.pop()
        if local(part) == name:
            found.append(part)
        elif local(part) in _THROUGH:
            pending.extend(reversed(part))
    return found


def _count(properties: Any | None, name: str, default: int) -> int:
    text = value(properties.find(f"{W}{name}")) if properties is not None else ""
    return min(int(text), MAX_COLUMNS) if text.isdigit() and len(text) < 6 else default


def _seen_header(table: Any, rows: list[list[_Cell]]) -> int:
    """How many rows look like a header where the author marked none; see ``divide``."""
    cells = [cell for row in rows for cell in row]
    grid = resolve_grid([[Span(cell.columns, cell.rows) for cell in row] for row in rows])
    texts = [[says(cells[slot].element) if slot is not None else "" for slot in row] for row in grid]
    if len(texts) < 2 or len(texts[0]) < 2:
        return 0
    block = Block(CellRange(0, 0, len(texts) - 1, len(texts[0]) - 1), texts)
    block.emphasised = [_stands_out(row) for row in _inner(table, "tr")]
    layout = divide(block)
    return layout.titles + layout.header if layout.header else 0


def _stands_out(row: Any) -> bool:
    """Whether all cells of a row are bold or on colour."""
    cells = _inner(row, "tc")
    return bool(cells) and all(_is_shaded(cell) or _is_bold(cell) for cell in cells)


def _is_shaded(cell: Any) -> bool:
    return value(cell.find(f"{W}tcPr/{W}shd"), "fill").lower() not in _PLAIN_FILLS


def _is_bold(cell: Any) -> bool:
    runs = [run for run in cell.iter(f"{W}r") if any((text.text or "").strip() for text in run.iter(f"{W}t"))]
    return bool(runs) and all(is_on(run.find(f"{W}rPr/{W}b")) for run in runs)
