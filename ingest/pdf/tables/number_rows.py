"""Rows of a table of figures: labels of several lines are joined, figures go to their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.fragments import Fragment, joined
from backtrail.ingest.pdf.geometry import union
from backtrail.ingest.pdf.tables.divided_cells import cell_text
from backtrail.ingest.pdf.tables.grid import Cell
from backtrail.ingest.pdf.tables.head_spans import Column
from backtrail.ingest.pdf.tables.row_cells import Line, RowCell

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 1: 1 page.
_AT_LEFT = 2.0  # of the font size: cells nearer to the left edge are labels
# At 0.425: 3 pages, pairs -3 right, +0 found; at 1.7: 21 pages, pairs -70 right, +12 found.
_TIGHT = 0.85  # of the usual distance of rows: lines of one label
_OPEN = (",", "-", "–", "—", "(", "/", "&", " and", " of", " or", " the", " to", " in", " for", " from", " on", " by",
         " with", " at", " than")  # fmt: skip

_DAY = re.compile(r"\d,$")  # "December 31,": it is complete, unless the year is in the next line

Fragments = dict[int, list[Fragment]]


def parted(line: Line, left: float) -> tuple[RowCell | None, list[RowCell]]:
    """Return the label of a line, if there is one, and the other cells.

    Args:
        line: a line of the table.
        left: left edge of the table.
    """
    first, *others = line.cells
    if not first.is_value or (others and first.x0 - left <= _AT_LEFT * line.size):
        return first, others
    return None, [*line.cells]


def body_cells(lines: Sequence[Line], left: float, columns: Sequence[Column], above: int) -> list[Cell]:
    """Return the cells of the rows; the labels are column 0.

    Args:
        lines: lines from the top, the last one with figures.
        left: left edge of the table.
        columns: columns of figures, from the left.
        above: number of header rows.
    """
    usual = _usual_pitch(lines)
    reach = max((line.cells[0].x1 for line in lines if line.cells[0].x0 < columns[0].x0), default=0.0)
    rows: list[Fragments] = []
    before: Line | None = None
    filled = False  # whether the last row has figures
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        row = _placed(line, left, columns)
        tight = before is not None and _is_tight(before, line, after, usual)
        beside = bool(row.keys() - {0})
        words = beside and 0 not in row and not any(cell.is_value for cell in line.cells)
        if tight and beside:
            tight = not joined(rows[-1].get(0, [])).endswith(":")
        elif tight:
            tight = _wraps(rows[-1].get(0, []), row.get(0, []), reach)
        if rows and (words or ((tight or _goes_on(rows[-1].get(0, []), row.get(0, []))) and not (filled and beside))):
            for column, fragments in row.items():
                rows[-1].setdefault(column, []).extend(fragments)
            filled = filled or beside
        else:
            rows.append(row)
            filled = beside
        before = line
    return [
        Cell(cell_text(fragments), number, column, number + 1, column + 1, union([one.box for one in fragments]))
        for number, row in enumerate(rows, start=above)
        for column, fragments in sorted(row.items())
    ]


def _is_tight(before: Line, line: Line, after: Line | None, usual: float) -> bool:
    """Whether a line is nearer to the one above than rows usually are, and not nearer to the one below."""
    pitch = line.row.base - before.row.base
    nearest = after is None or pitch <= after.row.base - line.row.base + 0.1 * line.size
    return nearest and pitch < _TIGHT * usual


def _usual_pitch(lines: Sequence[Line]) -> float:
    pitches = [two.row.base - one.row.base for one, two in pairwise(lines) if len(one.cells) > 1 and len(two.cells) > 1]
    return median(pitches) if pitches else 0.0


def _placed(line: Line, left: float, columns: Sequence[Column]) -> Fragments:
    label, others = parted(line, left)
    if label is not None and label.x0 >= columns[0].x0 - 1:
        label, others = None, [label, *others]  # it is empty, or another line of a cell
    if label is None and others[0].x1 < columns[0].x0:
        label, *others = others  # a year that is the name of a group
    row: Fragments = {0: list(label.fragments)} if label is not None else {}
    edges = [(one.x1 + other.x0) / 2 for one, other in pairwise(columns)]
    for cell in others:
        column = 1 + sum((cell.left + cell.x1) / 2 > edge for edge in edges)
        if not cell.is_value and cell.x1 < columns[0].x0 and label is not None:
            column = 0
        row.setdefault(column, []).extend(cell.fragments)
    return row


def _wraps(above: Sequence[Fragment], below: Sequence[Fragment], reach: float) -> bool:
    """Whether the first word of a line did not fit behind the label above, in a column of labels that reach so far."""
    if not above or not below or below[-1].text.endswith(":"):
        return False
    return above[-1].box[2] + below[0].box[2] - below[0].box[0] > reach - below[0].size


def _goes_on(above: Sequence[Fragment], below: Sequence[Fragment]) -> bool:
    """Whether a label continues in the next line: it breaks off, or the next one begins with a small letter."""
    if not above or not below:
        return False
    text, more = joined(above), joined(below)
    if text.endswith(":") or (_DAY.search(text) and not more[0].isdigit()):
        return False
    return text.endswith(_OPEN) or text.count("(") > text.count(")") or more[0].islower()
