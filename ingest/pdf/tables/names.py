"""Whether a table of figures has names for its rows and columns."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.ingest.pdf.tables.grid import FoundTable, as_table, is_number
from backtrail.ingest.pdf.tables.row_cells import is_period, is_value
from backtrail.ingest.sheets.cell_kinds import are_periods
from backtrail.state.component import Table

_SIGNS = frozenset("$€£¥%)")
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.333: 1 page; at 1.33: 23 pages, pairs +33 right, +199 found.
_LABELLED = 2 / 3


def is_numeric(table: Table) -> bool:
    """Whether at least half of the filled cells outside the first column are numbers."""
    cells = [cell for row in table.rows for cell in row[1:] if cell and cell not in _SIGNS]
    return bool(cells) and 2 * sum(map(is_value, cells)) >= len(cells)


def has_labels(table: Table) -> bool:
    """Whether most rows with numbers begin with words, a year or a date, or are counted."""
    first = [row[0] for row in table.rows if any(map(is_value, row[1:]))]
    return are_periods(first) or sum(map(_is_label, first)) >= _LABELLED * len(first)


def has_heads(table: Table) -> bool:
    """Whether every column of numbers has a name that is no number."""
    columns = [column for column in range(1, len(table.header)) if _is_of_numbers([row[column] for row in table.rows])]
    names = [table.header[column] for column in columns]
    own = [name.rpartition(" / ")[2] for name in names]
    return all(names) and (are_periods(names) or all(not is_value(name) or is_period(name) for name in own))


def _is_of_numbers(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell and cell not in _SIGNS]
    numbers = sum(map(is_value, filled))
    return numbers >= 2 and 2 * numbers >= len(filled)


def _is_label(text: str) -> bool:
    return is_period(text) or (any(map(str.isalpha, text)) and not is_number(text))


def names_figures(found: FoundTable) -> bool:
    """Whether a table has no figures, or names for the rows and columns of all."""
    table = as_table(found)
    return not is_numeric(table) or (has_labels(table) and has_heads(table))
