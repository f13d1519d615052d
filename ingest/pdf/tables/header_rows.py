"""Detect the header rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.ingest.pdf.tables.grid import Cell, is_number
from backtrail.ingest.sheets.cell_kinds import are_periods, is_date, is_missing

_MOST = 3  # maximum of header rows without rules
_FIGURES = 0.75  # minimum share of figures in a column of figures
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 2: 3 pages, pairs +0 right, -2 found; at 8: 4 pages.
_MANY = 4  # with so many columns, a header names more than one
_BODY = 50  # rows examined
_PLAIN = 2  # minimum ratio of columns where the first row is like those below to columns where it is not

Texts = Sequence[Sequence[str]]
"""Rows of a table, all of the same length."""


def words_heads(rows: Texts) -> int:
    """Count header rows by the words alone: those above the first figures; one if there are no figures."""
    figures = [column for column in range(len(rows[0])) if _holds_figures([row[column] for row in rows])]
    if not figures:
        return 1
    for index, row in enumerate(rows[: _MOST + 1]):
        if any(is_number(row[column]) or is_missing(row[column]) for column in figures):
            names = index == 0 and len(rows) > 1 and are_periods(row) and not are_periods(rows[1])
            return 1 if names else index
    return 1


def ruled_heads(rows: Texts, heads: int) -> int:
    """Count header rows separated by a rule; none if the first row is clearly like the rows below."""
    first, body = rows[0], rows[1 : 1 + _BODY]
    if heads == 1 and len(first) >= _MANY and sum(map(bool, first)) == 1 and first[0]:
        return 0  # the name of a group of rows
    if heads != 1 or len(body) < 2 or are_periods(first):
        return heads
    alike = other = 0
    for column, text in enumerate(first):
        if text and _is_of_figures([row[column] for row in body]):
            figure = is_number(text) or is_date(text)
            alike, other = alike + figure, other + (not figure and not is_missing(text))
    return 0 if alike and alike >= _PLAIN * other else heads


def count_heads(cells: Sequence[Cell], rows: int) -> int:
    """Count the header rows of a grid.

    The first row, and those below cells that span columns or rows; none if the first is clearly a row of figures like
    those below.
    """
    heads = 1
    while heads < min(rows - 1, 4):
        reaching = any(cell.row < heads < cell.end_row for cell in cells)
        over_columns = any(cell.row == heads - 1 and cell.end_column - cell.column > 1 and cell.text for cell in cells)
        below = [cell.text for cell in cells if cell.row == heads and cell.text]
        named = below and (are_periods(below) or not any(map(is_number, below)))
        if not (reaching or (over_columns and named)):
            break
        heads += 1
    columns = max(cell.end_column for cell in cells)
    texts = [[""] * columns for _ in range(min(rows, _BODY + 1))]
    for cell in cells:
        if cell.row < len(texts):
            texts[cell.row][cell.column] = cell.text
    return ruled_heads(texts, heads)


def _holds_figures(cells: Sequence[str]) -> bool:
    filled = [text for text in cells if text and not is_missing(text)]
    return sum(map(is_number, filled)) >= max(1, 0.5 * (len(filled) - 1))


def _is_of_figures(cells: Sequence[str]) -> bool:
    filled = [text for text in cells if text and not is_missing(text)]
    return len(filled) >= 2 and sum(is_number(text) or is_date(text) for text in filled) >= _FIGURES * len(filled)
