"""How much of a workbook or delimited file is read, and what is said of the rest."""

from __future__ import annotations

from itertools import repeat

from backtrail.ingest.sheets.sheet import BLANK, MAX_BLANK_ROWS, MAX_CELLS, MAX_COLUMNS, MAX_PLACES, MAX_ROWS, Row


class CellBudget:
    """Counts filled cells and blank rows over all sheets of a file, and rows and columns of the sheet being read."""

    def __init__(self) -> None:
        self._cells = self._blank_rows = 0
        self._begin()

    def _begin(self) -> None:
        self._rows = self._blank = self._filled_rows = self._widest = self._width = 0
        self._full = ""

    def take(self, rows: list[Row], row: Row, width: int) -> bool:
        """Add a further row of the sheet if it may be kept, and say whether it may.

        Blank ones are added once something follows them: files go on with blank rows to the end of the sheet.

        Args:
            rows: those of the sheet that are kept, one for each number.
            row: its cells, cut at the most columns that are kept and after the last filled one.
            width: how many cells it had, up to its last filled one.
        """
        self._width = max(self._width, width)
        if not row:
            self._blank += 1
            self._blank_rows += 1
            if self._blank_rows > MAX_BLANK_ROWS:
                self._full = f"more than {MAX_BLANK_ROWS:,} blank rows in the file"
            return not self._full
        if self._may_keep(row):
            rows.extend(repeat(BLANK, self._blank))
            rows.append(row)
            self._rows = len(rows)
            self._blank = 0
        return not self._full

    def _may_keep(self, row: Row) -> bool:
        self._widest = max(self._widest, len(row))
        self._filled_rows += 1
        self._cells += sum(1 for cell in row if cell)
        if self._cells > MAX_CELLS:
            self._full = f"more than {MAX_CELLS:,} cells in the file"
        elif self._filled_rows > MAX_ROWS:
            self._full = f"more than {MAX_ROWS:,} rows"
        elif self._filled_rows * self._widest > MAX_PLACES:
            self._full = f"rows times columns are more than {MAX_PLACES:,}"
        return not self._full

    def notes(self) -> list[str]:
        """What was left out of the sheet that was just read; the next one starts afresh."""
        number = self._rows + self._blank + 1
        found = [f"row {number:,} and what follows were not read: {self._full}"] if self._full else []
        if self._width > MAX_COLUMNS:
            found.append(f"only {MAX_COLUMNS} of {self._width:,} columns were read")
        self._begin()
        return found
