"""Reader of workbooks in Excel's binary formats (.xls, .xlsb), on calamine.

On damaged files calamine can take all memory, so it runs in a separate process: this module, run as a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import python_calamine as calamine

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.sheets.number_format import cell_text
from backtrail.ingest.sheets.sheet import CellBudget, CellRange, Sheet
from backtrail.ingest.worker_process import ENDED, WorkerProcess, serve

MAX_BYTES = 64 * 2**20
"""Most bytes of a file; calamine keeps the current sheet in memory."""

SECONDS = 300
"""Time limit for one workbook."""

MEMORY = 4 * 2**30
"""Most bytes of memory of the process; a workbook of 64 MB takes about half."""

_PROCESS = WorkerProcess("backtrail.ingest.sheets.old_excel")
_BROKEN = (calamine.CalamineError, OSError, ValueError)


def read_old_excel(path: Path, notes: list[str]) -> list[Sheet]:
    """Return the sheets of a workbook in order.

    Raises:
        UnreadableSource: see ``read_here``; or the process exceeded a limit or ended.
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
    sheets, found = answer
    notes.extend(found)
    return sheets


def read_here(path: Path) -> tuple[list[Sheet], list[str]]:
    """Read a workbook in this process; return its sheets and notes on what is not read.

    Calamine gives values, merged cells and dates, but no other number formats.

    Raises:
        UnreadableSource: it is locked with a password, damaged, or too large.
    """
    size = path.stat().st_size
    if size > MAX_BYTES:
        problem = f"is {size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20} MB"
        raise UnreadableSource(str(path), problem, "Save it as .xlsx, which is read as a stream")
    notes = ["links, comments, number formats, charts and pictures of this workbook are not read: save it as .xlsx"]
    return list(_sheets(path, notes)), notes


def _sheets(path: Path, notes: list[str]) -> Iterator[Sheet]:
    budget = CellBudget()
    try:
        with _panics_named():
            book = calamine.CalamineWorkbook.from_path(str(path))
    except calamine.PasswordError as error:
        problem, advice = "is locked with a password", "Save a copy without the password and ingest that"
        raise UnreadableSource(str(path), problem, advice) from error
    except _BROKEN as error:
        problem = f"this is not an Excel workbook, or it is damaged ({error})"[:200]
        raise UnreadableSource(str(path), problem, "Open it in Excel and save it as .xlsx") from error
    for name in book.sheet_names:
        sheet = Sheet(name)
        try:
            with _panics_named():
                read = book.get_sheet_by_name(name)
                for number, values in enumerate(read.iter_rows()):
                    row = [cell_text(value) for value in values]
                    while row and not row[-1]:
                        row.pop()
                    if row and not budget.take(sheet.rows, row, number):
                        break
                sheet.spans = [CellRange(*start, *end) for start, end in read.merged_cell_ranges or []]
        except _BROKEN as error:
            notes.append(f"sheet {name!r} is damaged and was not read ({error})"[:200])
        notes.extend(budget.notes(name))
        yield sheet


@contextmanager
def _panics_named() -> Iterator[None]:
    """Turn a panic of the compiled reader, which derives from BaseException, into ValueError."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"its reader gave up: {error}") from error


def _read(path: Path, entered: Callable[[int], None]) -> tuple[list[Sheet], list[str]]:
    return read_here(path)


if __name__ == "__main__":
    serve(_read, SECONDS, MEMORY)
