"""Make a table from cells that cover slots of a grid: fill spans, merge header rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.ingest.pdf.geometry import Box
from backtrail.state.component import Table

_NUMBER = re.compile(
    r"^(?:(?:Rs|INR|USD|EUR|GBP|CHF|CAD|AUD|R\$|kr|zł)\.?\s?)?[\s(<>~≈±+\-–−$€£¥₹%]*\d[\d\s.,:/×x%()eE+\-–−±*†]*[a-zA-Z%°]{0,3}\)?$"
)

_LEADER = re.compile(r"\s?(?:\.\s?){5,}")  # dots that lead to the next column; longer than an ellipsis
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 4: 2 pages.
_INDENT = 2.0  # points
# At 60: 6 pages; at 240: 1 page.
_LONGEST_GROUP = 120  # letters; longer texts are notes


@dataclass(slots=True)
class Cell:
    """A cell's text and slots: rows from ``row`` to before ``end_row``, columns likewise."""

    text: str
    row: int
    column: int
    end_row: int
    end_column: int
    box: Box

    def __post_init__(self) -> None:
        """Leave dots out that lead to the next column."""
        self.text = _LEADER.sub(" ", self.text).strip()


@dataclass
class FoundTable:
    """A table on a page: its box and cells.

    ``heads`` is the number of header rows, 0 for a table without a header. ``xs`` are the left edges of the columns, by
    which its continuation on the next page is recognised. ``width`` is the minimum number of columns.
    """

    box: Box
    cells: list[Cell]
    heads: int
    xs: tuple[float, ...]
    width: int = 0

    @property
    def rows(self) -> int:
        """Number of rows, header rows included."""
        return max(cell.end_row for cell in self.cells)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return max(self.width, *(cell.end_column for cell in self.cells))

    def slots(self) -> list[list[str]]:
        """Return the texts of all slots by row; a spanning cell is repeated in each of its slots."""
        grid = [[""] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            for row in range(cell.row, cell.end_row):
                for column in range(cell.column, cell.end_column):
                    grid[row][column] = cell.text
        return grid


def as_table(found: FoundTable, caption: str = "") -> Table:
    """Return the table in the stored form, without empty rows."""
    grid = found.slots()
    names = _merged_heads(grid[: found.heads], found)
    for row, path in group_paths(found).items():
        grid[row][0] = path
    return Table(caption=caption, header=tuple(names), rows=tuple(tuple(row) for row in _body(grid, found)))


def count_rows(found: FoundTable) -> int:
    """Return the number of rows in the stored form."""
    return len(_body(found.slots(), found))


def _body(grid: Sequence[list[str]], found: FoundTable) -> list[list[str]]:
    return [row for row in grid[found.heads :] if any(row)]


def group_paths(found: FoundTable) -> dict[int, str]:
    """Return the labels of rows that are set in below the name of a group: "Current assets / Cash".

    A row whose only text is its label names the rows below it that begin further right.
    """
    filled = Counter(cell.row for cell in found.cells if cell.text)
    labels = sorted((cell for cell in found.cells if cell.column == 0 and cell.row >= found.heads), key=lambda c: c.row)
    groups: list[Cell] = []
    paths: dict[int, str] = {}
    for cell in labels:
        while groups and groups[-1].box[0] > cell.box[0] - _INDENT:
            groups.pop()
        if groups and cell.end_column == 1:
            paths[cell.row] = " / ".join([*(group.text.rstrip(": ") for group in groups), cell.text])
        if filled[cell.row] == 1 and cell.end_column == 1 and len(cell.text) <= _LONGEST_GROUP:
            groups.append(cell)
    return paths


def _merged_heads(heads: Sequence[Sequence[str]], found: FoundTable) -> list[str]:
    """Merge header rows: "A / B" below a header of more columns, "A B" for a header of two lines."""
    spans = {
        (row, column): (cell.column, cell.end_column)
        for cell in found.cells
        for row in range(cell.row, min(cell.end_row, found.heads))
        for column in range(cell.column, cell.end_column)
    }
    names = [""] * found.columns
    last = [0] * found.columns  # row of the last part of each name
    for number, row in enumerate(heads):
        for column, text in enumerate(row):
            above = names[column]
            if not text or (number and text == heads[number - 1][column]):
                continue
            start, end = spans.get((last[column], column), (column, column))
            of_more = end - start > 1 and (start, end) != spans[number, column]
            names[column] = f"{above} / {text}" if above and of_more else with_line(above, text)
            last[column] = number
    return names


def with_line(text: str, line: str) -> str:
    """Append a line of a cell. A hyphen before it is the word's own: all 14 of 370 pages of real tables were."""
    hyphen = text[-1:] == "-" and text[-2:-1].isalpha() and line[:1].isalpha()
    return text + line if hyphen else f"{text} {line}".strip()


def is_number(text: str) -> bool:
    """Whether a text is a figure: a number, possibly with sign, unit, spread or currency."""
    return bool(_NUMBER.match(text)) and len(text) <= 40
