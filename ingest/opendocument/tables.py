"""Tables of OpenDocument as elements: spans as written, header rows as marked or as they look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from backtrail.ingest.html.grid import Span, resolve_grid
from backtrail.ingest.opendocument.names import TABLE, TEXT, count
from backtrail.ingest.sheets.blocks import Block
from backtrail.ingest.sheets.header import divide
from backtrail.ingest.sheets.sheet import CellRange
from backtrail.ingest.word.elements import child, new, says

MAX_REPEATED = 200_000
"""Cells of one file that stand in it once and count several times; ours."""

_MOST_COLUMNS = 500
_MOST_ROWS = 10_000
_GROUPS = frozenset(f"{TABLE}{name}" for name in ("table-header-rows", "table-rows", "table-row-group"))


@dataclass
class Repeats:
    """How many further cells may be repeated."""

    left: int = MAX_REPEATED

    def take(self, times: int, cells: int = 1) -> int:
        """How often so many cells may be repeated."""
        taken = min(times, self.left // max(1, cells))
        self.left -= taken * cells
        return taken


def table_element(
    table: Any, read: Callable[[Any, Any], None], is_bold: Callable[[Any], bool], repeats: Repeats
) -> Any:
    """A table as an element.

    Args:
        table: the ``table:table``.
        read: writes the blocks of a cell into an element.
        is_bold: whether a paragraph is set in bold.
        repeats: what the file may still repeat.
    """
    rows: list[Any] = []
    emphasised: list[bool] = []
    marked = 0
    for row, in_header in _rows(table):
        made = _row(row, read, repeats)
        repeated = count(row, f"{TABLE}number-rows-repeated", _MOST_ROWS) - 1 if len(made) and says(made) else 0
        marked += in_header and marked == len(rows)
        taken = repeats.take(repeated, len(made))
        rows += [made, *(_copied(made) for _ in range(taken))]
        emphasised += [_stands_out(row, is_bold)] * (1 + taken)
    header = marked if 0 < marked < len(rows) else _seen_header(rows, emphasised)
    element = new("table")
    head = child(element, "thead") if header else None
    body = child(element, "tbody")
    for number, row in enumerate(rows):
        if head is not None and number < header:
            for cell in row:
                cell.tag = "th"
        (head if head is not None and number < header else body).append(row)
    return element


def _rows(table: Any, in_header: bool = False, depth: int = 0) -> Iterator[tuple[Any, bool]]:
    """The rows of a table, and whether each is marked as one of its head; not those of tables inside it."""
    for part in table:
        if part.tag == f"{TABLE}table-row":
            yield part, in_header
        elif part.tag in _GROUPS and depth < 20:
            yield from _rows(part, in_header or part.tag == f"{TABLE}table-header-rows", depth + 1)


def _row(row: Any, read: Callable[[Any, Any], None], repeats: Repeats) -> Any:
    made = new("tr")
    for cell in row:
        if cell.tag != f"{TABLE}table-cell":  # those that a merged one covers
            continue
        spans = {"colspan": "number-columns-spanned", "rowspan": "number-rows-spanned"}
        span = {name: count(cell, f"{TABLE}{given}", _MOST_COLUMNS) for name, given in spans.items()}
        element = child(made, "td", **{name: str(number) for name, number in span.items() if number > 1})
        read(cell, element)
        if len(element) == 1 and element[0].tag == "p":
            element[0].tag = "span"  # a table of plain cells holds data, even in one row
        repeated = count(cell, f"{TABLE}number-columns-repeated", _MOST_COLUMNS)
        taken = repeats.take(min(repeated - 1, _MOST_COLUMNS - len(made)))
        made.extend(_copied(element) for _ in range(taken))
    while len(made) and not says(made[-1]) and made[-1].find(".//img") is None and not made[-1].attrib:
        made.remove(made[-1])
    return made


def _copied(element: Any) -> Any:
    """The same words again; what links lead to stands in the first one only."""
    made = new(element.tag, **{name: value for name, value in element.attrib.items() if name != "id"})
    if element.tag == "tr":
        made.extend(_copied(cell) for cell in element)
    else:
        made.text = says(element)
    return made


def _stands_out(row: Any, is_bold: Callable[[Any], bool]) -> bool:
    paragraphs = [one for one in row.iter(f"{TEXT}p") if "".join(one.itertext()).strip()]
    return bool(paragraphs) and all(map(is_bold, paragraphs))


def _seen_header(rows: list[Any], emphasised: list[bool]) -> int:
    """How many rows look like a header where the author marked none; see ``divide``."""
    cells = [cell for row in rows for cell in row]
    spans = [[Span(int(cell.get("colspan") or 1), int(cell.get("rowspan") or 1)) for cell in row] for row in rows]
    texts = [[says(cells[slot]) if slot is not None else "" for slot in row] for row in resolve_grid(spans)]
    if len(texts) < 2 or len(texts[0]) < 2:
        return 0
    block = Block(CellRange(0, 0, len(texts) - 1, len(texts[0]) - 1), texts)
    block.emphasised = emphasised
    layout = divide(block)
    return layout.titles + layout.header if layout.header else 0
