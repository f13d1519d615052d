"""Workbooks in Excel's binary formats (.xls, .xlsb), read by calamine: values and merged cells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import python_calamine as calamine

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.sheets.bounds import CellBudget
from backtrail.ingest.sheets.number_format import cell_text
from backtrail.ingest.sheets.sheet import MAX_COLUMNS, CellRange, Row, Sheet
from backtrail.ingest.sheets.xlsx import SheetReading

_BROKEN = (calamine.CalamineError, OSError, ValueError)

MAX_BYTES = 64 * 2**20
"""Bytes of a file; calamine holds the sheet it reads in memory."""


def read_old_excel(path: Path, budget: CellBudget, notes: list[str]) -> Iterator[SheetReading]:
    """The sheets of a workbook in order. Number formats other than dates are not known, links and charts are not read.

    Raises:
        UnreadableSource: it is locked with a password, damaged, or too large.
    """
    if path.stat().st_size > MAX_BYTES:
        problem = f"is {path.stat().st_size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20}"
        raise UnreadableSource(str(path), problem, "Save it as .xlsx, which is read as a stream")
    book = _open(path)
    notes.append("links, comments, charts and pictures of Excel's binary formats are not read: save it as .xlsx")
    for name in book.sheet_names:
        try:
            with _panics_named():
                reading = SheetReading(_sheet(book.get_sheet_by_name(name), name, budget), [], {})
            yield reading
        except _BROKEN as error:
            notes.append(f"sheet {name!r} is damaged and was not read ({error})"[:200])
        notes.extend(f"sheet {name!r}: {note}" for note in budget.notes())


def _open(path: Path) -> calamine.CalamineWorkbook:
    try:
        with _panics_named():
            return calamine.CalamineWorkbook.from_path(str(path))
    except calamine.PasswordError as error:
        problem, advice = "is locked with a password", "Save a copy without the password and ingest that"
        raise UnreadableSource(str(path), problem, advice) from error
    except _BROKEN as error:
        problem = f"this is no workbook of Excel, or it is damaged ({error})"[:200]
        raise UnreadableSource(str(path), problem, "Open it in Excel and save it as .xlsx") from error


@contextmanager
def _panics_named() -> Iterator[None]:
    """Damaged files can make the compiled reader panic, which comes as no ordinary exception."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"its reader gave up: {error}") from error


def _sheet(read: calamine.CalamineSheet, name: str, budget: CellBudget) -> Sheet:
    rows: list[Row] = []
    for values in read.iter_rows():
        row = [cell_text(value if value != "" else None) for value in values[:MAX_COLUMNS]]
        while row and not row[-1]:
            row.pop()
        beyond = (n for n in range(len(values), MAX_COLUMNS, -1) if values[n - 1] != "")
        if not budget.take(row, next(beyond, len(row))):
            break
        rows.append(row)
    spans = [CellRange(*start, *end) for start, end in read.merged_cell_ranges or []]
    return Sheet(name, rows, spans)
