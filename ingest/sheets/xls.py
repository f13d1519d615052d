"""Workbooks of Excel before 2007 (.xls), read by xlrd: values as their formats show them, spans, links, comments."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import xlrd

from backtrail.ingest.sheets.bounds import CellBudget
from backtrail.ingest.sheets.defined_names import DefinedName, DefinedNames
from backtrail.ingest.sheets.number_format import cell_text
from backtrail.ingest.sheets.sheet import MAX_COLUMNS, CellRange, Row, Sheet
from backtrail.ingest.sheets.xlsx import SheetReading

MAX_BYTES = 16 * 2**20
"""Bytes of a file: xlrd holds every cell of a sheet as an object."""

_BOLD = 600  # weight of a font from which on it is bold
_NO_FILL = 0


def open_xls(path: Path) -> xlrd.Book:
    """Open a workbook; its sheets are read one by one.

    Raises:
        Exception: of any kind, which damaged files make xlrd raise.
    """
    with open(os.devnull, "w") as unread:  # what it has to say of odd files
        return xlrd.open_workbook(
            str(path), formatting_info=True, on_demand=True, ragged_rows=True,
            logfile=unread)  # fmt: skip


def read_sheet(book: xlrd.Book, number: int, budget: CellBudget) -> SheetReading:
    """One sheet. Raises as ``open_xls``."""
    with open(os.devnull, "w") as unread:
        book.logfile = unread
        read = book.sheet_by_index(number)
    rows: list[Row] = []
    emphasised: set[int] = set()
    for row in range(read.nrows):
        cells = read.row(row)
        texts = [_text(book, cell) for cell in cells[:MAX_COLUMNS]]
        while texts and not texts[-1]:
            texts.pop()
        width = next((n for n in range(len(cells), MAX_COLUMNS, -1) if cells[n - 1].value != ""), len(texts))
        if not budget.take(rows, texts, width):
            break
        filled = [cell for cell in cells if cell.ctype not in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)]
        if filled and all(cell.ctype == xlrd.XL_CELL_TEXT and _stands_out(book, cell) for cell in filled[:20]):
            emphasised.add(row)
    spans = [CellRange(top, left, bottom - 1, right - 1) for top, bottom, left, right in read.merged_cells]
    links = dict(_links(read))
    if any(href.startswith("#") for href in links.values()):
        links = DefinedNames(_names(book)).placed(links, number)
    sheet = Sheet(read.name, rows, spans, links, [], emphasised)
    comments = {
        CellRange(row, column, row, column).name.partition(":")[0]: " ".join(note.text.split())
        for (row, column), note in sorted(read.cell_note_map.items())
        if note.text.strip()
    }
    book.unload_sheet(number)
    return SheetReading(sheet, [], comments)


def _text(book: xlrd.Book, cell: Any) -> str:
    if cell.ctype == xlrd.XL_CELL_TEXT:
        return cell.value.strip()
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return cell_text(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return xlrd.error_text_from_code.get(cell.value, "")
    if cell.ctype not in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return ""
    shown = _format(book, cell)
    value = cell.value
    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            return cell_text(xlrd.xldate_as_datetime(value, book.datemode), shown)
        except (xlrd.XLDateError, OverflowError, ValueError):  # no day of any calendar
            shown = "General"
    return cell_text(int(value) if value.is_integer() and abs(value) < 1e15 else value, shown)


def _format(book: xlrd.Book, cell: Any) -> str:
    try:
        return book.format_map[book.xf_list[cell.xf_index].format_key].format_str
    except (KeyError, IndexError, TypeError):
        return "General"


def _stands_out(book: xlrd.Book, cell: Any) -> bool:
    """Whether a cell is set in bold or on colour."""
    try:
        style = book.xf_list[cell.xf_index]
        return book.font_list[style.font_index].weight >= _BOLD or style.background.fill_pattern != _NO_FILL
    except (IndexError, TypeError, AttributeError):
        return False


def _links(read: Any) -> Iterator[tuple[tuple[int, int], str]]:
    for place, link in sorted(read.hyperlink_map.items()):
        address = link.url_or_path or ""
        address = address.decode("utf-8", "replace") if isinstance(address, bytes) else address
        href = f"{address}#{link.textmark}" if link.textmark else address
        if href:
            yield place, href


def _names(book: xlrd.Book) -> Iterator[DefinedName]:
    for one in book.name_obj_list:
        stands_for = getattr(one.result, "text", None)
        if stands_for and one.scope >= -1:  # others belong to macros
            yield DefinedName(one.name, stands_for, one.scope if one.scope >= 0 else None)
