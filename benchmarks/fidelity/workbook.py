"""Write known documents as workbooks: a sheet per section, a title per table, text in column one."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.drawing.image import Image
from openpyxl.styles import Font
from openpyxl.worksheet.hyperlink import Hyperlink

from fidelity.source import Grid, Known, Link, Text


def write_workbook(known: Known, path: Path) -> None:
    """Write numbers as numbers, captions as titles, and headers bold unless the layout has plain ones."""
    book: Any = openpyxl.Workbook()
    book.properties.title = known.title
    book.remove(book.active)
    for section in known.sections:
        sheet = book.create_sheet(section.heading[:31])
        row = 1
        for block in section.blocks:
            if isinstance(block, Text):
                sheet.cell(row, 1, block.words)
                row += 1
                if block.link is not None:
                    _link(sheet, row, block.link)
                    row += 1
                row += 1
            elif isinstance(block, Grid):
                row = _table(sheet, block, row) + 2
            else:
                sheet.add_image(Image(io.BytesIO(block.png)), f"F{row}")
                sheet.cell(row, 1, block.caption)
                row += 4
    book.save(str(path))


def _link(sheet: Any, row: int, link: Link) -> None:
    cell = sheet.cell(row, 1, link.anchor)
    if link.target.startswith("#"):
        cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"'{link.target[1:][:31]}'!A1")
    else:
        cell.hyperlink = link.target


def _table(sheet: Any, grid: Grid, row: int) -> int:
    sheet.cell(row, 1, grid.caption)
    row += 1
    if grid.groups:
        column = 2
        for name, width in grid.groups:
            sheet.cell(row, column, name)
            sheet.merge_cells(start_row=row, start_column=column, end_row=row, end_column=column + width - 1)
            column += width
        row += 1
    for column, name in enumerate(grid.header, start=1):
        cell = sheet.cell(row, column, name)
        cell.font = Font(bold=grid.marked)
    for number, cells in enumerate(grid.rows, start=row + 1):
        for column, text in enumerate(cells, start=1):
            sheet.cell(number, column, int(text) if text.isdigit() else text)
    for first, last in grid.merged:
        sheet.cell(row + 1 + last, 1).value = None
        sheet.merge_cells(start_row=row + 1 + first, start_column=1, end_row=row + 1 + last, end_column=1)
    return row + len(grid.rows)
