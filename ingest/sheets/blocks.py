"""Finder of tables on a sheet: blocks of filled cells between blank rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.ingest.sheets.cell_kinds import holds_values, is_missing, is_number
from backtrail.ingest.sheets.sheet import BLANK, CellRange, Row, Sheet

_SCANNED_ROWS = 200
"""Most rows of a block that are examined to split it by columns, a bound; 20 changes none of 200 workbooks of Apache
POI's tests."""

MAX_COVERED = 500_000
"""Most cells covered by merged ones (ours); further merged cells have text in the first cell only."""


@dataclass
class Block:
    """A rectangle of cells; ``rows`` have full width, and the text of a merged cell is in all its cells.

    ``is_words``: no row has more than one distinct text, so that it is a title or note, not a table.
    """

    place: CellRange
    rows: list[Row]
    emphasised: list[bool] = field(default_factory=list)
    is_words: bool = False

    def __post_init__(self) -> None:
        self.is_words = all(len({cell for cell in row if cell}) <= 1 for row in self.rows)


def find_blocks(sheet: Sheet) -> list[Block]:
    """Return the blocks of a sheet from top to bottom, then left to right."""
    grid = _filled(sheet)
    found = [block for band in _bands(grid) for block in _beside(grid, band)]
    return sorted(_continued(found), key=lambda block: (block.place.top, block.place.left))


def _filled(sheet: Sheet) -> list[Row]:
    """Return rows of equal width with the text of merged cells in all their cells."""
    width = max((len(row) for row in sheet.rows), default=0)
    grid = [[*(cell.strip() for cell in row), *[""] * (width - len(row))] if row else BLANK for row in sheet.rows]
    covered = 0
    for span in sheet.spans:
        text = grid[span.top][span.left] if span.top < len(grid) and span.left < len(grid[span.top]) else ""
        right, bottom = min(span.right, width - 1), min(span.bottom, len(grid) - 1)
        covered += (bottom - span.top + 1) * (right - span.left + 1) if text else 0
        if not text or covered > MAX_COVERED:
            continue
        for number in range(span.top, bottom + 1):
            row = grid[number] = grid[number] or [""] * width
            row[span.left : right + 1] = [text] * (right + 1 - span.left)
    blank = [""] * width
    return [row or blank for row in grid]


def _bands(grid: list[Row]) -> list[tuple[int, int]]:
    """Return first and last row of every run of non-blank rows."""
    blank = next((row for row in grid if not any(row)), None)  # blank rows are one and the same list
    filled = (number for number, row in enumerate(grid) if row is not blank and any(row))
    bands: list[tuple[int, int]] = []
    for number in filled:
        first = bands.pop()[0] if bands and bands[-1][1] == number - 1 else number
        bands.append((first, number))
    return bands


def _beside(grid: list[Row], band: tuple[int, int]) -> list[Block]:
    """Return the blocks of a band; adjacent tables have a blank column between, and each has row labels.

    So it is in 14 of 200 workbooks.
    """
    top, bottom = band
    sample = grid[top : min(bottom + 1, top + _SCANNED_ROWS)]
    used = {column for row in grid[top : bottom + 1] for column, cell in enumerate(row) if cell}
    left, cuts = min(used), [min(used)]
    for column in range(min(used) + 1, max(used)):
        if column not in used and _begins_table(sample, column + 1) and len(used & set(range(left, column))) > 1:
            cuts.append(column + 1)
            left = column + 1
    blocks: list[Block] = []
    for start, end in zip(cuts, [*(cut - 1 for cut in cuts[1:]), max(used) + 1], strict=True):
        blocks += _trimmed(grid, top, bottom, start, end - 1)
    return blocks


def _begins_table(rows: list[Row], column: int) -> bool:
    """Return whether a table begins at a column: most of its cells are words with cells beside them."""
    labels = [row[column] for row in rows if row[column]]
    words = [label for label in labels if not is_number(label) and not is_missing(label)]
    return len(labels) > 1 and 2 * len(words) > len(labels) and any(any(row[column + 1 : column + 2]) for row in rows)


def _trimmed(grid: list[Row], top: int, bottom: int, left: int, right: int) -> list[Block]:
    """Return the rectangle without blank rows and columns at its ends; none if all is blank."""
    rows = [row[left : right + 1] for row in grid[top : bottom + 1]]
    filled = [number for number, row in enumerate(rows) if any(row)]
    if not filled:
        return []
    columns = [n for n in range(right - left + 1) if any(row[n] for row in rows)]
    first, last = columns[0], columns[-1]
    place = CellRange(top + filled[0], left + first, top + filled[-1], left + last)
    return [Block(place, [row[first : last + 1] for row in rows[filled[0] : filled[-1] + 1]])]


def _continued(blocks: list[Block]) -> list[Block]:
    """Join each block without a header to the one above, if one blank row is between: in 12 of 200 workbooks."""
    joined: list[Block] = []
    ends: dict[int, list[Block]] = {}
    for block in sorted(blocks, key=lambda one: (one.place.top, one.place.left)):
        over = ends.get(block.place.top - 2, [])
        above = next((one for one in over if _continues(one, block)), None)
        if above is None:
            joined.append(block)
        else:
            over.remove(above)
            _append(above, block)
            block = above
        ends.setdefault(block.place.bottom, []).append(block)
    return joined


def _continues(above: Block, block: Block) -> bool:
    below = above.place.left <= block.place.right and block.place.left <= above.place.right
    # a blank row may follow a header or separate groups of rows; a new header begins a new table
    return below and not above.is_words and holds_values(block.rows[0])


def _append(above: Block, block: Block) -> None:
    left, right = min(above.place.left, block.place.left), max(above.place.right, block.place.right)
    if (left, right) != (above.place.left, above.place.right):
        above.rows = _widened(above, left, right)
    above.rows.append([""] * (right - left + 1))
    above.rows.extend(_widened(block, left, right))
    above.place = CellRange(above.place.top, left, block.place.bottom, right)


def _widened(block: Block, left: int, right: int) -> list[Row]:
    before, after = [""] * (block.place.left - left), [""] * (right - block.place.right)
    return [[*before, *row, *after] for row in block.rows]


def texts(row: Sequence[str]) -> list[str]:
    """Return the distinct texts of a row."""
    return list(dict.fromkeys(cell for cell in row if cell))
