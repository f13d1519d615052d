"""Workbooks in Excel's binary formats (.xls, .xlsb): by xlrd, and what that does not read by calamine.

Damaged ones can make either take all memory, and so they are read in a process of their own (``old_excel_worker.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import python_calamine as calamine

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.kept_process import ENDED, KeptProcess
from backtrail.ingest.sheets import xls
from backtrail.ingest.sheets.bounds import CellBudget
from backtrail.ingest.sheets.number_format import cell_text
from backtrail.ingest.sheets.sheet import MAX_COLUMNS, CellRange, Row, Sheet
from backtrail.ingest.sheets.xlsx import SheetReading

_PROCESS = KeptProcess("backtrail.ingest.sheets.old_excel_worker")
_BROKEN = (calamine.CalamineError, OSError, ValueError)

MAX_BYTES = 64 * 2**20
"""Bytes of a file; calamine holds the sheet it reads in memory."""


def read_old_excel(path: Path, notes: list[str]) -> list[SheetReading]:
    """The sheets of a workbook in order.

    Raises:
        UnreadableSource: see ``read_here``; or the process was ended.
    """
    try:
        _PROCESS.send(path)
        answer = _PROCESS.receive()
    except ENDED as error:
        _PROCESS.stop()
        problem = "reading it took too long or too much memory: it is damaged, or very large"
        raise UnreadableSource(str(path), problem, "Open it in Excel and save it as .xlsx") from error
    if isinstance(answer, Exception):
        raise answer
    sheets, said = answer
    notes.extend(said)
    return sheets


def read_here(path: Path) -> tuple[list[SheetReading], list[str]]:
    """The sheets of a workbook in this process, and what is said of what was left out.

    xlrd reads .xls up to its bounds. Calamine reads the others: it gives values and merged cells, and of number formats
    dates alone.

    Raises:
        UnreadableSource: it is locked with a password, damaged, or too large.
    """
    notes: list[str] = []
    return list(_sheets(path, CellBudget(), notes)), notes


def _sheets(path: Path, budget: CellBudget, notes: list[str]) -> Iterator[SheetReading]:
    if path.stat().st_size > MAX_BYTES:
        problem = f"is {path.stat().st_size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20}"
        raise UnreadableSource(str(path), problem, "Save it as .xlsx, which is read as a stream")
    sheets = _by_xlrd(path)
    if sheets is not None:
        notes.append("charts and pictures of Excel's binary formats are not read: save it as .xlsx")
        for reading, said in sheets:
            notes.extend(f"sheet {reading.sheet.name!r}: {note}" for note in said)
            yield reading
        return
    book = _open(path)
    notes.append("links, comments, number formats, charts and pictures of this workbook are not read: save it as .xlsx")
    for name in book.sheet_names:
        try:
            with _panics_named():
                reading = SheetReading(_sheet(book.get_sheet_by_name(name), name, budget), [], {})
            yield reading
        except _BROKEN as error:
            notes.append(f"sheet {name!r} is damaged and was not read ({error})"[:200])
        notes.extend(f"sheet {name!r}: {note}" for note in budget.notes())


def _by_xlrd(path: Path) -> list[tuple[SheetReading, list[str]]] | None:
    """Each sheet as xlrd reads it, and what was left out of it; None if xlrd does not read the file."""
    if path.stat().st_size > xls.MAX_BYTES:
        return None
    budget = CellBudget()
    try:
        book = xls.open_xls(path)
        return [(xls.read_sheet(book, number, budget), budget.notes()) for number in range(book.nsheets)]
    except Exception:  # noqa: BLE001  whatever it is: calamine may read the file, or says what is wrong with it
        return None


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
        if not budget.take(rows, row, next(beyond, len(row))):
            break
    spans = [CellRange(*start, *end) for start, end in read.merged_cell_ranges or []]
    return Sheet(name, rows, spans)
