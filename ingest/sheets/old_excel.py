"""Workbooks in Excel's binary formats (.xls, .xlsb): by xlrd, and what that does not read by calamine.

Damaged ones can make either take all memory, and so they are read in a process of their own, which this module is when
it is run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import python_calamine as calamine
import xlrd

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.kept_process import ENDED, KeptProcess, serve
from backtrail.ingest.sheets.number_format import cell_text, moment
from backtrail.ingest.sheets.sheet import CellBudget, CellRange, Row, Sheet

MAX_BYTES = 64 * 2**20
"""Bytes of a file; calamine holds the sheet it reads in memory."""

MAX_XLRD = 16 * 2**20
"""Bytes of a file that xlrd reads, which holds every cell of a sheet as an object."""

SECONDS = 300
"""For one workbook."""

MEMORY = 4 * 2**30
"""Bytes of the process; a workbook of 64 MB takes about half of it."""

_BOLD = 600  # weight of a font from which on it is bold
_PROCESS = KeptProcess("backtrail.ingest.sheets.old_excel")
_BROKEN = (calamine.CalamineError, OSError, ValueError)


def read_old_excel(path: Path, notes: list[str]) -> list[Sheet]:
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


def read_here(path: Path) -> tuple[list[Sheet], list[str]]:
    """The sheets of a workbook in this process, and what is said of what was left out.

    xlrd reads .xls up to its bounds. Calamine reads the others: it gives values and merged cells, and of number formats
    dates alone.

    Raises:
        UnreadableSource: it is locked with a password, damaged, or too large.
    """
    size = path.stat().st_size
    if size > MAX_BYTES:
        problem = f"is {size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20}"
        raise UnreadableSource(str(path), problem, "Save it as .xlsx, which is read as a stream")
    if size <= MAX_XLRD:
        try:
            notes = ["charts and pictures of Excel's binary formats are not read: save it as .xlsx"]
            return list(_by_xlrd(path, notes)), notes
        except Exception:  # noqa: BLE001, S110  whatever it is: calamine may read the file, or says what is wrong
            pass
    notes = ["links, comments, number formats, charts and pictures of this workbook are not read: save it as .xlsx"]
    return list(_by_calamine(path, notes)), notes


def _by_xlrd(path: Path, notes: list[str]) -> Iterator[Sheet]:
    budget = CellBudget()
    with open(os.devnull, "w") as unread:  # what it has to say of odd files
        book = xlrd.open_workbook(
            str(path), formatting_info=True, on_demand=True, ragged_rows=True, logfile=unread
        )  # fmt: skip
        for number in range(book.nsheets):
            read = book.sheet_by_index(number)
            sheet = Sheet(read.name)
            for row in range(read.nrows):
                cells = read.row(row)
                texts = _trimmed([_text(book, cell) for cell in cells])
                if texts and not budget.take(sheet.rows, texts, row):
                    break
                filled = [cell for cell in cells if cell.ctype not in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)]
                if filled and all(one.ctype == xlrd.XL_CELL_TEXT and _stands_out(book, one) for one in filled[:20]):
                    sheet.emphasised.add(row)
            merged = read.merged_cells
            sheet.spans = [CellRange(top, left, bottom - 1, right - 1) for top, bottom, left, right in merged]
            sheet.links = {place: href for place, link in read.hyperlink_map.items() if (href := _href(link))}
            said = ((place, " ".join(note.text.split())) for place, note in sorted(read.cell_note_map.items()))
            sheet.comments = {place: words for place, words in said if words}
            book.unload_sheet(number)
            notes.extend(budget.notes(sheet.name))
            yield sheet


def _trimmed(row: Row) -> Row:
    while row and not row[-1]:
        row.pop()
    return row


def _text(book: xlrd.Book, cell: Any) -> str:
    if cell.ctype == xlrd.XL_CELL_TEXT:
        return cell.value.strip()
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return cell_text(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return xlrd.error_text_from_code.get(cell.value, "")
    if cell.ctype not in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return ""
    value, shown = cell.value, "General"
    try:
        shown = book.format_map[book.xf_list[cell.xf_index].format_key].format_str
        if cell.ctype == xlrd.XL_CELL_DATE:
            return cell_text(moment(value, shown, since_1904=bool(book.datemode)), shown)
    except OverflowError:  # no day of any calendar
        shown = "General"
    except (KeyError, IndexError, TypeError):  # a style that the file has not
        pass
    return cell_text(int(value) if value.is_integer() and abs(value) < 1e15 else value, shown)


def _stands_out(book: xlrd.Book, cell: Any) -> bool:
    """Whether a cell is set in bold or on colour."""
    try:
        style = book.xf_list[cell.xf_index]
        return book.font_list[style.font_index].weight >= _BOLD or style.background.fill_pattern != 0
    except (IndexError, TypeError, AttributeError):
        return False


def _href(link: Any) -> str:
    address = link.url_or_path or ""
    address = address.decode("utf-8", "replace") if isinstance(address, bytes) else address
    return f"{address}#{link.textmark}" if link.textmark else address


def _by_calamine(path: Path, notes: list[str]) -> Iterator[Sheet]:
    budget = CellBudget()
    try:
        with _panics_named():
            book = calamine.CalamineWorkbook.from_path(str(path))
    except calamine.PasswordError as error:
        problem, advice = "is locked with a password", "Save a copy without the password and ingest that"
        raise UnreadableSource(str(path), problem, advice) from error
    except _BROKEN as error:
        problem = f"this is no workbook of Excel, or it is damaged ({error})"[:200]
        raise UnreadableSource(str(path), problem, "Open it in Excel and save it as .xlsx") from error
    for name in book.sheet_names:
        sheet = Sheet(name)
        try:
            with _panics_named():
                read = book.get_sheet_by_name(name)
                for number, values in enumerate(read.iter_rows()):
                    row = _trimmed([cell_text(value) for value in values])
                    if row and not budget.take(sheet.rows, row, number):
                        break
                sheet.spans = [CellRange(*start, *end) for start, end in read.merged_cell_ranges or []]
        except _BROKEN as error:
            notes.append(f"sheet {name!r} is damaged and was not read ({error})"[:200])
        notes.extend(budget.notes(name))
        yield sheet


@contextmanager
def _panics_named() -> Iterator[None]:
    """Damaged files can make the compiled reader panic, which comes as no ordinary exception."""
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
