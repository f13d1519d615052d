"""Detect the header rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.ingest.pdf.tables.grid import Cell, is_number
from backtrail.ingest.pdf.tables.headerless import is_like_the_rows_below
from backtrail.ingest.sheets.cell_kinds import are_periods, is_date, is_missing

_MOST = 3  # rows of a head that no rule tells
_FIGURES = 0.75  # of the cells of a column of figures
_MANY = 4  # columns of which a head names more than one
_BODY = 50  # rows that are looked at
_PLAIN = 2  # times as many columns in which a first row is like those below it as in which it is not

Texts = Sequence[Sequence[str]]
"""Rows of a table, each as long as the others."""


def words_heads(rows: Texts) -> int:
    """Head rows where nothing but words tells: those above the first figures; one where nothing holds figures."""
    figures = [column for column in range(len(rows[0])) if _holds_figures([row[column] for row in rows])]
    if not figures:
        return 1
    for index, row in enumerate(rows[: _MOST + 1]):
        held = [row[column] for column in figures]
        if any(is_number(text) or is_missing(text) for text in held):
            names = index == 0 and len(rows) > 1 and are_periods(row) and not are_periods(rows[1])
            return 1 if names else index
    return 1


def ruled_heads(rows: Texts, heads: int) -> int:
    """Head rows where rules part the first from the others; none where it is plainly one of the rows below."""
    first, body = rows[0], rows[1 : 1 + _BODY]
    if heads == 1 and len(first) >= _MANY and sum(map(bool, first)) == 1 and first[0]:
        return 0  # the name of a group of rows
    if heads != 1 or len(body) < 2 or are_periods(first):
        return heads
    if is_like_the_rows_below([*first], [[*row] for row in body]):
        return 0
    alike = other = 0
    for column, text in enumerate(first):
        if text and _is_of_figures([row[column] for row in body]):
            figure = is_number(text) or is_date(text)
            alike, other = alike + figure, other + (not figure and not is_missing(text))
    return 0 if alike and alike >= _PLAIN * other else heads


def count_heads(cells: Sequence[Cell], rows: int) -> int:
    """How many of the first rows of a grid are heads.

    The first, and those below cells that span columns or reach down; none if the first is plainly a row of figures as
    those below it.
    """
    heads = 1
    while heads < min(rows - 1, 4):
        reaching = any(cell.row < heads < cell.end_row for cell in cells)
        over_columns = any(cell.row == heads - 1 and cell.end_column - cell.column > 1 and cell.text for cell in cells)
        below = [cell for cell in cells if cell.row == heads and cell.text]
        if not (reaching or (over_columns and below and not any(is_number(cell.text) for cell in below))):
            break
        heads += 1
    columns = max(cell.end_column for cell in cells)
    texts = [[""] * columns for _ in range(min(rows, _BODY + 1))]
    for cell in cells:
        if cell.row < len(texts):
            texts[cell.row][cell.column] = cell.text
    return ruled_heads(texts, heads)


def _holds_figures(cells: Sequence[str]) -> bool:
    held = [text for text in cells if text and not is_missing(text)]
    return sum(map(is_number, held)) >= max(1, 0.5 * (len(held) - 1))


def _is_of_figures(cells: Sequence[str]) -> bool:
    held = [text for text in cells if text and not is_missing(text)]
    return len(held) >= 2 and sum(is_number(text) or is_date(text) for text in held) >= _FIGURES * len(held)
