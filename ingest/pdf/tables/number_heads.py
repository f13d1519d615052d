"""Heads of a table of figures: the rows above its columns, their spans, and the scale of its figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.geometry import Box, union
from backtrail.ingest.pdf.tables.columns import one_per_slot
from backtrail.ingest.pdf.tables.grid import Cell
from backtrail.ingest.pdf.tables.head_spans import Below, Column, head_spans, offset, own_columns, spans
from backtrail.ingest.pdf.tables.row_cells import Line, RowCell
from backtrail.ingest.pdf.tables.underlines import CENTRED, underlined

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 1.8: 28 pages, pairs -6 right, -16 found; at 7.2: 1 page.
_PITCH = 3.6  # maximum distance of heads, of the font size
_LINES = 1.6  # maximum distance of the lines of the name of the labels, of the font size
# At 30: 3 pages, pairs +0 right, -13 found; at 120: pairs +0 right, +9 found.
_LONGEST = 60  # letters of a line of a name that reaches over the labels
_SCALE = re.compile(
    r"\((?:[^()]{0,40}\bin |[$€£]\s?)?(?:thousand|million|billion)s?\b[^()]{0,80}\)|"
    r"^(?:amounts |dollars |u\.?s\.? dollars |\$ )?in (?:thousands|millions|billions)\b.{0,60}$|"
    r"^(?:thousands|millions|billions) of [\w. ]{1,20}$", re.I)  # fmt: skip


@dataclass
class Heads:
    """The rows that name columns; the table begins at line ``start``, its body at line ``body``."""

    start: int
    body: int
    lines: list[Line] = field(default_factory=list)
    scale: str = ""
    box: Box = (0.0, 0.0, 0.0, 0.0)

    @property
    def rows(self) -> int:
        """The number of header rows; a scale alone is one."""
        return len(self.lines) or int(bool(self.scale))

    def take(self, number: int) -> None:
        """Let the table begin at a line; the first one taken is the last head."""
        if self.body == self.start:
            self.body = number + 1
        self.start = number


def find_heads(lines: Sequence[Line | None], done: int, first: int, left: float, columns: Sequence[Column]) -> Heads:
    """Return the heads above the first line of figures.

    Args:
        lines: lines of the page; None for a picture or another table.
        done: number of the first line that is free.
        first: number of the first line of figures.
        left: left edge of the labels.
        columns: columns of figures, from the left.
    """
    heads = Heads(first, first)
    below = lines[first]
    held: list[Line] = []  # lines of the name of the labels, if there is a head above
    for number in range(first - 1, done - 1, -1):
        line = lines[number]
        if line is None or below is None or below.row.base - line.row.base > _PITCH * max(line.size, below.size):
            break
        text = " ".join(cell.text for cell in line.cells)
        scale = _SCALE.search(text)
        if len(line.cells) == 1 and is_scale(text):
            heads.scale = heads.scale or text
            heads.take(number)
        elif _is_head(line, left, columns, below):
            heads.lines[:0] = [line, *held]
            heads.take(number)
            held = []
            columns = _widened(columns, _named(line, left, columns))
        elif heads.lines and _continues(line, below, left, columns):
            heads.scale = heads.scale or (scale[0] if scale else "")
            held.insert(0, line)
            if text.count("(") > text.count(")"):
                heads.lines[:0], held = held, []
                heads.take(number)
        elif not heads.lines and all(cell.x1 <= columns[0].x0 for cell in line.cells):
            heads.scale = heads.scale or (scale[0] if scale else "")
        else:
            heads.scale = heads.scale or (scale[0] if scale else "")
            break
        below = line
    heads.box = below.row.box if below is not None else heads.box
    return heads if heads.lines else Heads(first, first, scale=heads.scale, box=heads.box)


def _widened(columns: Sequence[Column], named: Sequence[RowCell]) -> Sequence[Column]:
    """Return the columns as wide as their names, if a line has one for each."""
    if len(named) != len(columns):
        return columns
    return [Column(min(old.x0, cell.x0), max(old.x1, cell.x1)) for old, cell in zip(columns, named, strict=True)]


def _continues(line: Line, below: Line, left: float, columns: Sequence[Column]) -> bool:
    """Whether a line is nothing but the name of the labels, which goes on in the next line."""
    near = below.row.base - line.row.base <= _LINES * line.size
    short = sum(len(cell.text) for cell in line.cells) <= _LONGEST
    return near and short and line.cells[0].x0 >= left - 1 and not _named(line, left, columns)


def is_scale(text: str) -> bool:
    """Whether a text is nothing but the scale of figures: "(in millions)"."""
    scale = _SCALE.search(text)
    return scale is not None and scale[0] == text


def _is_head(line: Line, left: float, columns: Sequence[Column], below: Line) -> bool:
    """Whether a line names columns: years or words above them, perhaps beside the name of the labels."""
    named = _named(line, left, columns)
    if not named or line.cells[0].x1 < left or _is_text(line, left, columns):
        return False
    counted = any(cell.is_value and not cell.is_period for cell in named)
    if counted and not (line.is_periods or line.names(below)):
        return False
    start, end = columns[0].x0 - line.size, columns[-1].x1 + line.size
    if any(len(cell.text) > _LONGEST and not start <= cell.x0 < cell.x1 <= end for cell in named):
        return False
    near = below.row.base - line.row.base <= _LINES * line.size
    return len(named) > 1 or _may_name(named[0], left, columns, line.size, near)


def _is_text(line: Line, left: float, columns: Sequence[Column]) -> bool:
    """Whether a line goes on from the left edge to the columns without a gap."""
    reach = left
    for cell in line.cells:
        if cell.x0 - reach > line.size:
            break
        reach = cell.x1
    return reach > columns[0].middle


def _is_beside(cell: RowCell, left: float, columns: Sequence[Column]) -> bool:
    """Whether a cell is above the labels: nearer to their edge than to the first column."""
    return cell.x1 <= columns[0].middle and cell.x0 - left < max(columns[0].x0 - cell.x1, 0.1 * (columns[0].x0 - left))


def _may_name(cell: RowCell, left: float, columns: Sequence[Column], size: float, near: bool) -> bool:
    """Whether a cell begins above the columns or is in the middle of some, but is no title in the middle of all.

    The upper line of a name, ``near`` to the next one, may also end where a column ends.
    """
    reached = sum(cell.x0 < column.x1 and column.x0 < cell.x1 for column in columns)
    of_all = abs((left + columns[-1].x1) / 2 - cell.middle)
    own = min(offset(cell, columns, span) for span in spans(columns, cell))
    ends = near and any(abs(column.x1 - cell.x1) <= size for column in columns)
    begins = ends or cell.x0 >= columns[0].x0 - size or own <= CENTRED * size
    return begins and not (of_all <= size and (reached > 1 or of_all < own))


def head_cells(heads: Heads, left: float, columns: Sequence[Column], rules: Sequence[Rule]) -> list[Cell]:
    """Return the cells of the heads; column 0 is that of the labels, and gets the scale."""
    cells: list[Cell] = []
    below = Below(list(columns), own_columns([_named(line, left, columns) for line in heads.lines], columns))
    for row, line in reversed([*enumerate(heads.lines)]):
        named = _named(line, left, below.columns)
        cells += [_cell(cell, row, (0, 1)) for cell in line.cells if cell not in named]
        known = underlined(named, line, columns, rules)
        for cell, (start, end) in zip(named, head_spans(named, known, below, line.size), strict=True):
            cells.append(_cell(cell, row, (start + 1, end + 1)))
            below.add(cell, (start, end))
    if heads.scale and not any(heads.scale in cell.text for cell in cells if cell.column == 0):
        alone = not cells and len(columns) == 1  # the scale is what the figures are called
        cells.insert(0, Cell(heads.scale, 0, int(alone), 1, 1 + int(alone), heads.box))
    return one_per_slot(cells)


def _named(line: Line, left: float, columns: Sequence[Column]) -> list[RowCell]:
    """Return the cells of a line that name columns, not labels."""
    return [cell for cell in line.cells if not _is_beside(cell, left, columns)]


def _cell(cell: RowCell, row: int, span: tuple[int, int]) -> Cell:
    return Cell(cell.text, row, span[0], row + 1, span[1], union([one.box for one in cell.fragments]))
