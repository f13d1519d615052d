"""From cells that cover slots of a grid to a table: spans filled, head rows merged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.ingest.pdf.geometry import Box
from backtrail.state.component import Table

_NUMBER = re.compile(
    r"^(?:(?:Rs|INR|USD|EUR|GBP|CHF|CAD|AUD|R\$|kr|zł)\.?\s?)?[\s(<>~≈±+\-–−$€£¥₹%]*\d[\d\s.,:/×x%()eE+\-–−±*†]*[a-zA-Z%°]{0,3}\)?$"
)


@dataclass(slots=True)
class Cell:
    """A cell's words and the slots it covers: rows from ``row`` to before ``end_row``, columns likewise."""

    text: str
    row: int
    column: int
    end_row: int
    end_column: int
    box: Box


@dataclass
class FoundTable:
    """A table on a page: where it stands, and its cells.

    ``heads`` is the number of its head rows, 0 where nothing names the columns. ``xs`` are the left edges of the
    columns, by which it is known again on the next page. ``width`` is the least number of columns.
    """

    box: Box
    cells: list[Cell]
    heads: int
    xs: tuple[float, ...]
    width: int = 0

    @property
    def rows(self) -> int:
        """Number of rows, head rows included."""
        return max(cell.end_row for cell in self.cells)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return max(self.width, *(cell.end_column for cell in self.cells))

    def slots(self) -> list[list[str]]:
        """Every row as long as the others; a cell that spans slots stands in each."""
        grid = [[""] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            for row in range(cell.row, cell.end_row):
                for column in range(cell.column, cell.end_column):
                    grid[row][column] = cell.text
        return grid


def as_table(found: FoundTable, caption: str = "") -> Table:
    """The table as it is stored; rows without any words are left out."""
    grid = found.slots()
    names = _merged_heads(grid[: found.heads], found)
    body = tuple(tuple(row) for row in grid[found.heads :] if any(row))
    return Table(caption=caption, header=tuple(names), rows=body)


def _merged_heads(heads: Sequence[Sequence[str]], found: FoundTable) -> list[str]:
    """Several head rows as one: "A / B" below a head that spans columns, "A B" where one head has two lines."""
    spanning = {
        (cell.row, column)
        for cell in found.cells
        if cell.end_column - cell.column > 1
        for column in range(cell.column, cell.end_column)
    }
    names = [""] * found.columns
    for number, row in enumerate(heads):
        for column, text in enumerate(row):
            above = names[column]
            if not text or (number and text == heads[number - 1][column]):
                continue
            divider = " / " if any((other, column) in spanning for other in range(number)) else " "
            names[column] = f"{above}{divider}{text}" if above else text
    return names


def is_number(text: str) -> bool:
    """Whether a cell holds a figure: a number with its sign, unit, spread or currency."""
    return bool(_NUMBER.match(text)) and len(text) <= 40
