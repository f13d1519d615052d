"""Find tables and forms without rules: rows of short, aligned pieces.

A run of such rows is a table if a column has figures, or if the columns are many and short. If its first column has
labels ("Name:"), or short terms beside longer text, the run is a form and is read row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, median

from backtrail.ingest.pdf.captions import read_label
from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.fragments import Row, joined
from backtrail.ingest.pdf.geometry import union
from backtrail.ingest.pdf.gutters import Piece, Strip, common, inner, pieces, white
from backtrail.ingest.pdf.reading_order import Placed
from backtrail.ingest.pdf.tables.columns import column_strips, piece_columns, table_of
from backtrail.ingest.pdf.tables.grid import FoundTable, is_number
from backtrail.ingest.pdf.tables.number_tables import number_tables

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 35: 1 page, pairs +0 right, -4 found; at 140: 3 pages.
_LONGEST = 70  # letters of a piece in a table
# At 16: pairs +0 right, -4 found.
_USUAL = 32  # maximum of letters of its pieces on average
# At 0.9: 7 pages, pairs +0 right, -4 found; at 3.6: 1 page.
_PITCH = 1.8  # maximum distance of rows, of the usual one
# At 1.3: 2 pages; at 5.2: 1 page.
_WIDE = 2.6  # maximum distance of the first two rows, of the font size
# At 0.8: pairs +0 right, -4 found.
_STRIP = 0.4  # of the font size
# At 0.25: 1 page; at 1: 3 pages, pairs +0 right, -4 found.
_FILLED = 0.5  # minimum share of rows with words in several columns; the others continue a cell


@dataclass
class Run:
    """Rows from ``start`` to before ``end``: a table, or a form as groups of labels and values."""

    start: int
    end: int
    table: FoundTable | None = None
    groups: tuple[tuple[Row, ...], ...] = ()


def find_runs(ordered: Sequence[Placed], rules: Sequence[Rule] = ()) -> list[Run]:
    """Return the tables and forms among the rows of a page or column, from the top."""
    runs: list[Run] = []
    done = 0
    for first, end, table in number_tables(ordered, rules):
        runs += [*_other_runs(ordered[:first], done), Run(first, end, table)]
        done = end
    return [*runs, *_other_runs(ordered, done)]


def _other_runs(ordered: Sequence[Placed], start: int) -> list[Run]:
    """Return tables of words and forms from a row on."""
    runs: list[Run] = []
    while start < len(ordered):
        end = _extended(ordered, start)
        run = _read_run(ordered, start, end) if end - start >= 2 else None
        if run is not None:
            runs.append(run)
            start = end
        else:
            start = end if end - start > 8 else start + 1
    return runs


def _extended(ordered: Sequence[Placed], start: int) -> int:
    """Return the end of the rows from ``start`` on that may be a table."""
    first = ordered[start]
    if not _is_tabular(first) or _has_caption(first):
        return start
    strips = white(first.pieces)
    end, pitches = start + 1, []
    for number in range(start + 1, len(ordered)):
        above, one = ordered[number - 1], ordered[number]
        if one.row is None or above.row is None or _has_caption(one):
            break
        pitch = one.row.base - above.row.base
        if pitch > (_PITCH * median(pitches) if pitches else _WIDE * one.size) + 1.0 or _is_heading(one, first):
            break
        below_first = one.pieces[0].x0 > first.pieces[0].x1
        # a single piece within the table may cross columns: it continues a cell
        shared = common(strips, white(one.pieces), _STRIP * one.size) if len(one.pieces) > 1 else strips
        if not inner(shared) or max(piece.letters for piece in one.pieces) > _LONGEST:
            break
        pitches.append(pitch)
        strips = shared
        if len(one.pieces) > 1 or below_first:
            end = number + 1  # rows of one piece belong to it only if the table continues, or if they continue a cell
        elif number - end >= 2:
            break
    return end


def _is_heading(one: Placed, first: Placed) -> bool:
    """Whether a row is set larger than the table, or is a single piece in bold and slightly larger type."""
    if one.row is None or first.row is None:
        return True
    alone = len(one.pieces) == 1 and all(fragment.bold for fragment in one.row.fragments)
    return one.size > 1.25 * first.size or (alone and one.size > 1.04 * first.size)


def _is_tabular(one: Placed) -> bool:
    return (
        one.row is not None
        and len(one.pieces) > 1
        and max(piece.letters for piece in one.pieces) <= _LONGEST
        and mean(piece.letters for piece in one.pieces) <= _USUAL
    )


def _has_caption(one: Placed) -> bool:
    """Whether a piece of a row begins like a caption."""
    return any(read_label(joined(piece.fragments)) is not None for piece in one.pieces if piece.fragments)


def _read_run(ordered: Sequence[Placed], start: int, end: int) -> Run | None:
    rows = [one.row for one in ordered[start:end] if one.row is not None]
    cut = [pieces(row) for row in rows]
    strips = column_strips(cut, median(row.size for row in rows))
    columns = len(strips) + 1
    if columns < 2:
        return None
    placed = [piece_columns(row, strips) for row in cut]
    if sum(len({column for column, _ in row}) > 1 for row in placed) < max(2, _FILLED * len(rows)):
        return None
    groups = _form(rows, cut, strips)
    if groups:
        return Run(start, end, groups=groups)
    by_column = _by_column(placed, columns)
    if _are_text_columns(by_column) or not _holds_figures_or_names(by_column, len(rows)):
        return None
    table = table_of(rows, cut, strips, union([row.box for row in rows]))
    return Run(start, end, table) if table is not None else None


def _by_column(placed: Sequence[Sequence[tuple[int, Piece]]], columns: int) -> list[list[Piece]]:
    found: list[list[Piece]] = [[] for _ in range(columns)]
    for row in placed:
        for column, piece in row:
            found[column].append(piece)
    return found


def _are_text_columns(by_column: Sequence[Sequence[Piece]]) -> bool:
    """Whether at least two columns have long lines that mostly fill the column's width."""
    texts = 0
    for lines in by_column:
        if len(lines) < 3:
            continue
        right, left = max(line.x1 for line in lines), min(line.x0 for line in lines)
        reach = median((line.x1 - line.x0) / max(right - left, 1.0) for line in lines)
        texts += median(line.letters for line in lines) >= 16 and reach >= 0.8
    return texts >= 2


def _holds_figures_or_names(by_column: Sequence[Sequence[Piece]], rows: int) -> bool:
    """Whether a column has figures, or there are many short columns."""
    columns = len(by_column)
    for cells in by_column:
        numbers = sum(is_number(joined(cell.fragments)) for cell in cells)
        if numbers >= max(1, 0.5 * (len(cells) - 1)) and (columns >= 3 or (rows >= 3 and numbers >= 2)):
            return True
    usual = mean(cell.letters for cells in by_column for cell in cells)
    return columns >= 3 and rows >= 3 and usual <= 18


def _form(rows: Sequence[Row], cut: Sequence[Sequence[Piece]], strips: Sequence[Strip]) -> tuple[tuple[Row, ...], ...]:
    """Return groups of rows of labels and values, one per pair of columns; empty if the rows are not a form."""
    placed = [piece_columns(row, strips) for row in cut]
    by_column = _by_column(placed, len(strips) + 1)
    labels = [column for column, cells in enumerate(by_column) if _are_labels(cells)]
    if not labels and len(by_column) == 2 and _are_terms(by_column[0], by_column[1]):
        labels = [0]
    if not labels or labels[0] != 0:
        return ()
    groups: list[list[Row]] = [[] for _ in labels]
    for row, parts in zip(rows, placed, strict=True):
        by_label: list[list[Piece]] = [[] for _ in labels]
        for column, piece in parts:
            by_label[sum(column >= label for label in labels) - 1].append(piece)
        for group, mine in zip(groups, by_label, strict=True):
            if mine:
                group.append(Row([f for piece in mine for f in piece.fragments], row.base, row.size))
    return tuple(tuple(group) for group in groups if group)


def _are_labels(cells: Sequence[Piece]) -> bool:
    marked = sum(joined(cell.fragments).endswith((":", "：")) for cell in cells)
    return len(cells) >= 2 and marked >= 0.7 * len(cells)


def _are_terms(terms: Sequence[Piece], texts: Sequence[Piece]) -> bool:
    """Whether short terms are beside longer lines of text."""
    if not terms or not texts:
        return False
    numbers = [joined(term.fragments).rstrip(".") for term in terms]
    if len(numbers) >= 3 and all(number.isdecimal() for number in numbers):
        values = [int(number[:9]) for number in numbers]
        if all(after == before + 1 for before, after in pairwise(values)):
            return True  # numbered lines
    wide = max(text.x1 for text in texts) - min(text.x0 for text in texts)
    narrow = max(term.x1 for term in terms) - min(term.x0 for term in terms)
    return (
        narrow <= 0.5 * wide
        and median(term.letters for term in terms) <= 24
        and median(text.letters for text in texts) >= 30
        and not any(is_number(joined(term.fragments)) for term in terms[1:])
    )
