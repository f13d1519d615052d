"""How much of a workbook or delimited file is read, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.ingest.sheets.sheet import MAX_CELLS, MAX_COLUMNS, MAX_PLACES, MAX_ROWS


class CellBudget:
    """Counts filled cells over all sheets of a file, and rows and columns of the sheet being read."""

    def __init__(self) -> None:
        self._cells = 0
        self._begin()

    def _begin(self) -> None:
        self._rows = self._filled_rows = self._widest = self._width = 0
        self._full = ""

    def take(self, row: Sequence[str], width: int) -> bool:
        """Whether a further row of the sheet may be kept.

        Args:
            row: its cells, cut at the most columns that are kept and after the last filled one.
            width: how many cells it had, up to its last filled one.
        """
        self._width = max(self._width, width)
        self._widest = max(self._widest, len(row))
        self._filled_rows += bool(row)
        self._cells += sum(1 for cell in row if cell)
        if self._cells > MAX_CELLS:
            self._full = f"more than {MAX_CELLS:,} cells in the file"
        elif self._rows >= MAX_ROWS:
            self._full = f"more than {MAX_ROWS:,} rows"
        elif self._filled_rows * self._widest > MAX_PLACES:
            self._full = f"rows times columns are more than {MAX_PLACES:,}"
        self._rows += not self._full
        return not self._full

    def notes(self) -> list[str]:
        """What was left out of the sheet that was just read; the next one starts afresh."""
        found = [f"row {self._rows + 1} and what follows were not read: {self._full}"] if self._full else []
        if self._width > MAX_COLUMNS:
            found.append(f"only {MAX_COLUMNS} of {self._width:,} columns were read")
        self._begin()
        return found
