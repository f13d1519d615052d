"""How cells of an .xlsx file are set, as far as it says: styles that a cell names and the file has not are left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any
from zipfile import ZipInfo

import openpyxl
from openpyxl.reader.excel import ExcelReader
from openpyxl.xml.constants import ARC_STYLE

_PLAIN = "General"
_EMPHASISED = 20
"""Cells of a row that are looked at."""


class CellStyles:
    """Asks cells for their styles; ``unknown`` counts those whose style is not there, which read as they are stored."""

    def __init__(self) -> None:
        self.unknown = 0

    def number_format(self, cell: Any) -> str:
        """How a cell's number is shown."""
        try:
            return cell.number_format or _PLAIN
        except IndexError:
            self.unknown += 1
            return _PLAIN

    def emphasised(self, cells: Iterable[Any]) -> bool:
        """Whether all cells of a row that hold something are set in bold or on colour."""
        filled = [cell for cell in cells if cell.value is not None]
        try:
            return all(cell.font.b or (cell.fill and cell.fill.fill_type == "solid") for cell in filled[:_EMPHASISED])
        except IndexError:
            return False


def open_unstyled(stream: IO[bytes]) -> openpyxl.Workbook:
    """A workbook read as if it had no styles. Raises whatever openpyxl raises of it."""
    reader = ExcelReader(stream, read_only=True, data_only=True, keep_links=False)
    read = reader.archive.read

    def read_but_styles(name: str | ZipInfo, pwd: bytes | None = None) -> bytes:
        if name == ARC_STYLE:
            raise KeyError(name)  # as if the archive had none
        return read(name, pwd)

    reader.archive.read = read_but_styles
    reader.read()
    return reader.wb
