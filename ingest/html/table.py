"""Read an HTML table: header, rows and caption with resolved spans, links, pictures and nested tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from backtrail.ingest.html.elements import HEADINGS, is_skipped
from backtrail.ingest.html.grid import Grid, Span, parse_span, resolve_grid
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.rewrites.tree import said
from backtrail.ingest.html.text import Inline, element_ids, read_inline, walk_events
from backtrail.ingest.html.unmarked_header import unmarked_header
from backtrail.state.component import Link, Table

_GROUPS = ("thead", "tbody", "tfoot")
_LAYOUT_SIGNS = ("table", *sorted(HEADINGS))
_ONE_ROW_LAYOUT_SIGNS = (*_LAYOUT_SIGNS, "p", "ul", "ol", "figure", "pre", "blockquote", "section", "article")
_SINGLE = Span()


@dataclass(frozen=True)
class TableReading:
    """Table with links; ``images`` and ``tables`` are elements in its cells, to be read separately."""

    table: Table
    links: list[Link]
    ids: list[str]
    images: list[Any]
    tables: list[Any]


@dataclass
class _Row:
    group: str
    group_number: int
    cells: list[tuple[Any, Span]] = field(default_factory=list)


@dataclass
class _Cell:
    inline: Inline
    is_header: bool


def is_layout(element: Any) -> bool:
    """Return whether a table only arranges the page, so that its cells are read as paragraphs.

    Blocks in a table of one row are a sign on 40 of 527 pages with tables, headings in others on 14.
    """
    if element.get("role") in ("presentation", "none"):
        return True
    if element.find("caption") is not None:
        return False
    rows = cells = 0
    for row in _rows(element):
        if row.group == "thead" or any(cell.tag == "th" for cell, _ in row.cells):
            return False
        rows, cells = rows + 1, cells + len(row.cells)
    if cells <= 1 or (rows == 1 and _says_one_thing(element)):
        return True
    signs = _ONE_ROW_LAYOUT_SIGNS if rows == 1 else _LAYOUT_SIGNS
    return any(element.find(f".//{tag}") is not None for tag in signs)


def _says_one_thing(table: Any) -> bool:
    """Return whether only one cell has text; the others are spacing: on 39 of 527 pages with tables."""
    return sum(1 for row in _rows(table) for cell, _ in row.cells if said(cell)) == 1


def read_table(element: Any, targets: LinkTargets) -> TableReading:
    """Read a data table.

    The header is the rows of ``thead``, or leading rows of only ``th``; several header rows are merged by column
    ("A / B"). Without either, leading rows may look like a header; else column names are empty and all rows are kept.
    """
    caption = _caption(element, targets)
    rows = sorted(_rows(element), key=lambda row: row.group == "tfoot")
    cells = [_Cell(read_inline(cell, targets), cell.tag == "th") for row in rows for cell, _ in row.cells]
    grid = resolve_grid([[span for _, span in row.cells] for row in rows], [row.group_number for row in rows])
    header_rows = _header_rows(rows, grid, cells)
    if not header_rows and not any(cell.is_header for cell in cells):
        texts = [[_text(slot, cells) for slot in row] for row in grid]
        header_rows = unmarked_header(texts, [[cell for cell, _ in row.cells] for row in rows])
    if header_rows == 1 and caption.text and _is_one_cell(grid[0]) and any(map(_is_one_cell, grid[1:])):
        header_rows = 0  # it names the rows up to the next such row, not the table
    title = _spanning_title(grid, header_rows)
    titles = [cells[title].inline] if title is not None else []
    names_from = 0 if title is None else 1
    header = _merged_header(grid[names_from:header_rows], cells, len(grid[0]) if grid else 0)
    body = [row for row in grid[header_rows:] if any(_text(slot, cells) for slot in row)]
    links = [link for inline in [caption, *titles] for link in inline.links]
    links.extend(_header_links(grid[names_from:header_rows], cells))
    links.extend(_body_links(body, cells))
    insides = [caption, *(cell.inline for cell in cells)]
    table = Table(
        caption=" – ".join(dict.fromkeys(text for text in [caption.text, *(part.text for part in titles)] if text)),
        header=header,
        rows=tuple(tuple(_row_texts(row, cells, repeated=any(header))) for row in body),
    )
    return TableReading(
        table=table,
        links=links,
        ids=_own_ids(element) + [name for inline in insides for name in inline.ids],
        images=[image for inline in insides for image in inline.images],
        tables=[nested for inline in insides for nested in inline.tables],
    )


def _rows(table: Any) -> Iterator[_Row]:
    """Yield the rows of a table, without those of nested tables."""
    row = _Row("tbody", 0)
    group, number = "tbody", 0
    walker = walk_events(table)
    for event, element in walker:
        if element is table:
            continue
        tag = element.tag
        if event == "end":
            if tag in _GROUPS:
                group, number = "tbody", number + 1
        elif tag in ("caption", "table") or is_skipped(element):
            walker.skip_subtree()
        elif tag in _GROUPS:
            group, number = tag, number + 1
        elif tag == "tr":
            if row.cells:
                yield row
            row = _Row(group, number)
        elif tag in ("td", "th"):
            row.cells.append((element, _span(element)))
            walker.skip_subtree()
    if row.cells:
        yield row


def _span(cell: Any) -> Span:
    columns, rows = cell.get("colspan"), cell.get("rowspan")
    return Span(parse_span(columns), parse_span(rows, zero=0)) if columns or rows else _SINGLE


def _caption(table: Any, targets: LinkTargets) -> Inline:
    caption = table.find("caption")
    if caption is None or is_skipped(caption):
        return Inline("", [], [], [], [])
    return read_inline(caption, targets)


def _own_ids(table: Any) -> list[str]:
    """Return ids of the table, its row groups and rows; ids in cells come with the cells."""
    found = element_ids(table)
    walker = walk_events(table)
    for event, element in walker:
        if element is table or event == "end":
            continue
        if element.tag in ("td", "th", "caption", "table"):
            walker.skip_subtree()
        else:
            found.extend(element_ids(element))
    return found


def _text(slot: int | None, cells: list[_Cell]) -> str:
    return "" if slot is None else cells[slot].inline.text


def _row_texts(row: Sequence[int | None], cells: list[_Cell], *, repeated: bool) -> list[str]:
    """Return the text of each slot of a row.

    A cell across several columns repeats its text if the columns have names, or if it is the whole row.
    """
    if repeated or len(set(row)) == 1:
        return [_text(slot, cells) for slot in row]
    before = [None, *row[:-1]]
    return ["" if slot == left else _text(slot, cells) for slot, left in zip(row, before, strict=True)]


def _header_rows(rows: list[_Row], grid: Grid, cells: list[_Cell]) -> int:
    """Return the number of leading header rows."""
    in_head = sum(1 for row in rows if row.group == "thead")
    if in_head and all(row.group == "thead" for row in rows[:in_head]):
        return in_head if in_head < len(rows) else 1
    count = 0
    for row in grid:
        filled = {slot for slot in row if slot is not None and (cells[slot].inline.text or cells[slot].is_header)}
        if not filled or not all(cells[slot].is_header for slot in filled):
            break
        count += 1
    # a table of only th has one header row
    return 1 if count and count == len(grid) else count


def _spanning_title(grid: Grid, header_rows: int) -> int | None:
    """Return the cell of the first header row if it spans all columns: a title, not column names.

    Five of 527 pages with tables have one.
    """
    if not header_rows or not _is_one_cell(grid[0]):
        return None
    return grid[0][0]


def _is_one_cell(row: list[int | None]) -> bool:
    """Return whether one cell spans the whole row of several columns."""
    return len(row) > 1 and len(set(row)) == 1 and row[0] is not None


def _merged_header(rows: Grid, cells: list[_Cell], width: int) -> tuple[str, ...]:
    columns: list[str] = []
    for column in range(width):
        names = dict.fromkeys(_text(row[column], cells) for row in rows)
        columns.append(" / ".join(name for name in names if name))
    return tuple(columns)


def _header_links(rows: Grid, cells: list[_Cell]) -> list[Link]:
    return [link for _, column, cell in _origins(rows) for link in _placed(cells[cell].inline.links, None, column)]


def _body_links(rows: Grid, cells: list[_Cell]) -> list[Link]:
    """Return the links of body cells, for a cell that spans rows once in each row."""
    found: list[Link] = []
    for number, row in enumerate(rows):
        for _, column, cell in _origins([row]):
            found.extend(_placed(cells[cell].inline.links, number, column))
    return found


def _origins(rows: Grid) -> list[tuple[int, int, int]]:
    """Return row, column and index of every cell at its first slot."""
    seen: dict[int, tuple[int, int]] = {}
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell is not None:
                seen.setdefault(cell, (number, column))
    return [(row, column, cell) for cell, (row, column) in seen.items()]


def _placed(links: list[Link], row: int | None, column: int) -> list[Link]:
    return [
        Link(target=link.target, anchor=link.anchor, row=row, column=column, component=link.component, kind=link.kind)
        for link in links
    ]
