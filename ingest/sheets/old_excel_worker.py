"""The process in which binary workbooks are read: what a damaged one does to its reader ends it, and not the ingest.

Takes paths and answers each with the sheets and notes of ``read_here``, or the error that it raised.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from backtrail.ingest.kept_process import serve
from backtrail.ingest.sheets.old_excel import read_here
from backtrail.ingest.sheets.xlsx import SheetReading

SECONDS = 300
"""For one workbook."""

MEMORY = 4 * 2**30
"""Bytes of the process; a workbook of 64 MB takes about half of it."""


def _read(path: Path, entered: Callable[[int], None]) -> tuple[list[SheetReading], list[str]]:
    return read_here(path)


if __name__ == "__main__":
    serve(_read, SECONDS, MEMORY)
