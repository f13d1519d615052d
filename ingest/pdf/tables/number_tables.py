"""Find tables of figures without relying on rules: labels at the left, figures below each other at the right.

Columns are the places of figures. Rows without figures between them are labels or groups; those above are heads. So
shades, rules below sums and missing rules do not matter, as in reports of companies (ours).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.fragments import Row
from backtrail.ingest.pdf.geometry import union
from backtrail.ingest.pdf.gutters import Piece
from backtrail.ingest.pdf.reading_order import Placed
from backtrail.ingest.pdf.tables.columns import column_strips
from backtrail.ingest.pdf.tables.grid import FoundTable
from backtrail.ingest.pdf.tables.head_spans import Column
from backtrail.ingest.pdf.tables.number_heads import find_heads, head_cells, is_scale
from backtrail.ingest.pdf.tables.number_rows import body_cells, parted
from backtrail.ingest.pdf.tables.row_cells import Line, RowCell, row_cells

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 1.6: 5 pages; at 6.4: 4 pages.
_APART = 3.2  # maximum distance of rows, of the font size
# At 2.75: 13 pages, pairs -20 right, -26 found; at 11: 1 page.
_FAR = 5.5  # the same if the figures of the lower row are in the columns
_LABEL_ROWS = 6  # maximum of consecutive rows without figures within a table
_NEXT = 1.6  # maximum distance of a line that continues a cell, of the font size
# At 0.3: 2 pages; at 1.2: 3 pages.
_SAME_ROW = 0.6  # of the font size: figures that are set this much lower than their label belong to it
_MARK = re.compile(r"(?:\(\w{1,2}\)|\^?[*†‡])+")
_FIGURE = re.compile(r"[\d$€£¥%*\-–—)]")
# At 20: 2 pages.
_LONG = 40  # letters of running text
_WORDS = 15  # letters


def number_tables(ordered: Sequence[Placed], rules: Sequence[Rule]) -> list[tuple[int, int, FoundTable]]:
    """Return tables of figures, each with the numbers of its first row and of the one after its last.

    Args:
        ordered: rows and objects of a page or column, from the top.
        rules: rules of the page; those below heads tell which columns these span.
    """
    found: list[tuple[int, int, FoundTable]] = []
    lines = _lines(ordered)
    number = done = 0
    while number < len(lines):
        line, below = lines[number], lines[number + 1] if number + 1 < len(lines) else None
        begins = line is not None and line.has_figures and not (below is not None and line.names(below))
        last = _with_tail(lines, _last(lines, number)) if begins else None
        table = _table(lines, done, number, last, rules) if last is not None else None
        if table is None or last is None:
            number += 1
            continue
        found.append(table)
        number = done = last + 1
    return found


def _lines(ordered: Sequence[Placed]) -> list[Line | None]:
    """Cut rows into cells; figures set a little lower than their label join its line."""
    lines: list[Line | None] = []
    for number, one in enumerate(ordered):
        if one.row is None:
            lines.append(None)
            continue
        line = Line(number, number + 1, one.row, tuple(row_cells(one.row)))
        above = lines[-1] if lines else None
        if above is not None and (_is_one_row(above, line) or _is_of_marks(above, line)):
            fragments = sorted([*above.row.fragments, *line.row.fragments], key=lambda fragment: fragment.box[0])
            whole = Row(fragments, above.row.base, line.size)
            lines[-1] = Line(above.number, number + 1, whole, tuple(row_cells(whole)))
        else:
            lines.append(line)
    return lines


def _is_one_row(above: Line, line: Line) -> bool:
    if line.row.base - above.row.base > _SAME_ROW * line.size or not (above.cells and line.cells):
        return False
    lines = sorted((above, line), key=lambda one: one.cells[0].x0)
    label, figures = (one.cells for one in lines)
    cells = sorted([*label, *figures], key=lambda cell: cell.x0)
    return (
        all(cell.x1 <= after.x0 for cell, after in pairwise(cells))
        and any(cell.is_value for cell in figures)
        and all(_FIGURE.search(cell.text) for cell in figures)
        and not any(cell.is_value and not cell.is_period for cell in label)
    )


def _is_of_marks(above: Line, line: Line) -> bool:
    """Whether a line has nothing but raised marks of the next one."""
    near = line.row.base - above.row.base <= line.size
    return near and bool(above.cells) and all(_MARK.fullmatch(cell.text) for cell in above.cells)


def _last(lines: Sequence[Line | None], first: int) -> int:
    """Return the number of the last line with figures of the table whose first one is given."""
    places: list[tuple[float, float]] = []
    last = number = first
    above = None
    while number < len(lines) and (line := lines[number]) is not None:
        gap = (line.row.base - above.row.base) / line.size if above is not None else 0.0
        values = _values(line, places)
        if values:
            known = any(_is_over(cell, places) for cell in values)
            if gap > (_FAR if known and line.has_figures else _APART):
                break
            places += [(cell.left, cell.x1) for cell in values if cell is not line.cells[0]]  # it may be a label: 2017
            last = number
        else:
            many = number - last > _LABEL_ROWS
            named = _named(line, places)
            heads = any(line.is_periods or is_scale(cell.text) or _is_over(cell, places) for cell in named)
            prose = _is_line_of_text(line, places)
            if gap > _FAR or many or heads or prose:
                break
        above, number = line, number + 1
    return last


def _is_line_of_text(line: Line, places: Sequence[tuple[float, float]]) -> bool:
    """Whether a line has nothing but words, which reach below all figures."""
    cell = line.cells[0]
    reaches = any(cell.x0 < start for start, _ in places) and all(cell.x1 > end for _, end in places)
    return len(line.cells) == 1 and reaches and any(map(str.isalpha, cell.text))


def _with_tail(lines: Sequence[Line | None], last: int) -> int:
    """Return the number of the line that continues a cell of the last one, or of the last one."""
    line, more = lines[last], lines[last + 1] if last + 1 < len(lines) else None
    if line is None or more is None or more.row.base - line.row.base > _NEXT * line.size or len(more.cells) != 1:
        return last
    cell, after = more.cells[0], lines[last + 2] if last + 2 < len(lines) else None
    prose = after is not None and after.row.base - more.row.base < _NEXT * line.size
    beside = [other for other in line.cells[1:] if not other.is_value and abs(other.x0 - cell.x0) < line.size]
    goes_on = beside or (cell.x0 >= line.cells[0].x0 - 1 and cell.text[0].islower())
    return last + 1 if goes_on and not prose and not cell.is_value else last


def _values(line: Line, places: Sequence[tuple[float, float]]) -> list[RowCell]:
    """Return the figures of a line; a figure alone counts only below others."""
    if line.has_figures:
        return [cell for cell in line.cells if cell.is_value]
    first, *others = line.cells
    alone = not others and first.is_value and not line.is_periods
    return [first] if alone and _ends_at(first, places, line.size) else []


def _ends_at(cell: RowCell, places: Sequence[tuple[float, float]], size: float) -> bool:
    return any(abs(cell.x1 - end) <= size for _, end in places)


def _named(line: Line, places: Sequence[tuple[float, float]]) -> list[RowCell]:
    """Return the cells of a line that may be heads: all except a label, which begins left of all figures."""
    left = min((start for start, _ in places), default=0.0)
    return [cell for number, cell in enumerate(line.cells) if number or cell.x0 >= left - line.size]


def _is_over(cell: RowCell, places: Sequence[tuple[float, float]]) -> bool:
    return any(cell.left < end and start < cell.x1 for start, end in places)


def _table(
    lines: Sequence[Line | None], done: int, first: int, last: int, rules: Sequence[Rule]
) -> tuple[int, int, FoundTable] | None:
    inside = [line for line in lines[first : last + 1] if line is not None]
    left = min(line.cells[0].x0 for line in inside)
    rows = [parted(line, left) for line in inside]
    figures = [cells for _, cells in rows if any(cell.is_value for cell in cells)]
    columns = _columns(figures, median(line.size for line in inside))
    if not columns or _is_prose(rows, columns):
        return None
    heads = find_heads(lines, done, first, left, columns)
    if not heads.rows and _goes_on_from_before(lines[:first], columns):
        heads.body = heads.start = 0
    if len(figures) < (2 if heads.lines else 3) and not (heads.lines and len(columns) > 1):
        return None
    if len(columns) == 1 and len(figures) < 3:
        return None
    named = head_cells(heads, left, columns, rules)
    body = [line for line in lines[heads.body : last + 1] if line is not None]
    cells = [*named, *body_cells(body, left, columns, heads.rows)]
    box = union([cell.box for cell in cells])
    begin, end = lines[heads.start], lines[last]
    assert begin is not None
    assert end is not None
    xs = (left, *(column.x1 for column in columns))
    return begin.number, end.end, FoundTable(box, cells, heads.rows, xs, width=len(columns) + 1)


def _goes_on_from_before(above: Sequence[Line | None], columns: Sequence[Column]) -> bool:
    """Whether all lines above the first figures of a page are names of groups: the heads are on the page before."""
    names = [line for line in above if line is not None and len(line.cells) == 1]
    return len(names) == len(above) <= _LABEL_ROWS and all(line.cells[0].x1 < columns[0].x0 for line in names)


def _columns(rows: Sequence[Sequence[RowCell]], size: float) -> list[Column]:
    """Return the columns of cells beside the labels."""
    cut = [[Piece(cell.fragments, cell.left, cell.x1) for cell in cells] for cells in rows]
    if not cut:
        return []
    strips = column_strips(cut, size)
    edges = [(left + right) / 2 for left, right in strips]
    held: list[list[RowCell]] = [[] for _ in range(len(edges) + 1)]
    for cell in (cell for row in rows for cell in row):
        first, last = (sum(x > edge for edge in edges) for x in (cell.left, cell.x1))
        if first == last:
            held[first].append(cell)
    return [_column([cell for cell in one if cell.is_value] or one) for one in held if one]


def _column(cells: Sequence[RowCell]) -> Column:
    """Return the column of cells; those left of most of them are strays, such as the mark of a note."""
    usual = median(cell.x0 for cell in cells)
    return Column(min(cell.x0 for cell in cells if cell.x1 >= usual), max(cell.x1 for cell in cells))


def _is_prose(rows: Sequence[tuple[RowCell | None, Sequence[RowCell]]], columns: Sequence[Column]) -> bool:
    """Whether the rows hold running text or have it beside them: columns of a page, not of a table."""
    beside = [cell for _, cells in rows for cell in cells]
    texts = [cell for cell in beside if not (cell.is_value or cell.is_period)]
    labels = [label for label, cells in rows if label is not None and cells and not cells[0].is_value]
    right = [cell for label, cells in rows for cell in (label, *cells) if cell is not None and cell.x0 > columns[0].x0]
    long = sum(len(cell.text) > _LONG for cell in right)
    lines = sum(len(label.text) > _LONG for label in labels)
    after = sum(len(cell.text) > _WORDS and _is_behind(cell, beside) for cell in texts)
    return 2 * len(texts) > len(beside) or max(long, after, 0.4 * lines) > 0.2 * len(rows)


def _is_behind(text: RowCell, cells: Sequence[RowCell]) -> bool:
    """Whether a text begins where figures of other rows are."""
    return any(cell.is_value and cell.left < text.x0 < cell.x1 + 1 for cell in cells)
