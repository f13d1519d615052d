"""Ruled tables: crossing rules make a grid; slots without a rule between them are one cell.

Open outer sides of cells are closed at the ends of the rules.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.fragments import Fragment
from backtrail.ingest.pdf.geometry import centre_in
from backtrail.ingest.pdf.tables.divided_cells import Held, cell_text, divide_cells
from backtrail.ingest.pdf.tables.grid import Cell, FoundTable
from backtrail.ingest.pdf.tables.header_rows import count_heads

_SNAP = 3.0  # points: nearer rules are one
_MAX_RULES = 4000  # per page after joining
_MAX_SLOTS = 50_000
_LONGEST_HEAD = 200  # maximum of letters of a column's name; with longer ones the rules frame text
_COVERED = 0.7  # minimum share of a slot's side that a rule covers


def join_rules(rules: Sequence[Rule], gap: float = _SNAP) -> list[Rule]:
    """Join rules on one line at most ``gap`` points apart; parallel rules nearer than ``_SNAP`` are one line."""
    joined_rules: list[Rule] = []
    for upright in (False, True):
        ordered = sorted((rule for rule in rules if rule.upright == upright), key=lambda rule: rule.at)
        lines: list[list[Rule]] = []
        for rule in ordered:
            if lines and rule.at - lines[-1][0].at <= _SNAP:
                lines[-1].append(rule)
            else:
                lines.append([rule])
        for line in lines:
            joined_rules += _touching(line, upright, gap)
    return joined_rules


def _touching(line: list[Rule], upright: bool, gap: float) -> list[Rule]:
    at = sum(rule.at for rule in line) / len(line)
    found: list[Rule] = []
    for rule in sorted(line, key=lambda rule: rule.start):
        if found and rule.start <= found[-1].end + gap:
            found[-1] = Rule(upright, at, found[-1].start, max(found[-1].end, rule.end))
        else:
            found.append(Rule(upright, at, rule.start, rule.end))
    return found


def ruled_tables(rules: Sequence[Rule], fragments: Sequence[Fragment]) -> list[FoundTable]:
    """Return the tables of joined rules and the fragments in them, with at least two rows and two columns."""
    if len(rules) > _MAX_RULES:
        return []
    found = [table for group in _crossing(rules) if (table := _table(group, fragments)) is not None]
    # a frame around a table is not a table
    return [one for one in found if not any(other is not one and centre_in(other.box, one.box) for other in found)]


def _crossing(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return groups of rules that are connected by crossings."""
    flat = [rule for rule in rules if not rule.upright]
    group_of = list(range(len(rules)))

    def root(number: int) -> int:
        while group_of[number] != number:
            group_of[number] = group_of[group_of[number]]
            number = group_of[number]
        return number

    numbered = {id(rule): number for number, rule in enumerate(rules)}
    heights = [rule.at for rule in flat]
    for number, rule in enumerate(rules):
        if not rule.upright:
            continue
        first = bisect_left(heights, rule.start - _SNAP)
        for other in flat[first:]:
            if other.at > rule.end + _SNAP:
                break
            if other.start - _SNAP <= rule.at <= other.end + _SNAP:
                group_of[root(numbered[id(other)])] = root(number)
    groups: defaultdict[int, list[Rule]] = defaultdict(list)
    for number, rule in enumerate(rules):
        groups[root(number)].append(rule)
    return [group for group in groups.values() if any(r.upright for r in group) and any(not r.upright for r in group)]


def _table(group: list[Rule], fragments: Sequence[Fragment]) -> FoundTable | None:
    flat = [rule for rule in group if not rule.upright]
    upright = [rule for rule in group if rule.upright]
    xs = _places([rule.at for rule in upright] + [min(r.start for r in flat), max(r.end for r in flat)])
    ys = _places([rule.at for rule in flat] + [min(r.start for r in upright), max(r.end for r in upright)])
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 2 or rows < 1 or columns * rows > _MAX_SLOTS:
        return None
    box = (xs[0], ys[0], xs[-1], ys[-1])
    inside = [fragment for fragment in fragments if centre_in(fragment.box, box)]
    if not inside:
        return None
    areas = _merged_slots(flat, upright, xs, ys)
    cells = _filled(areas, inside, xs, ys)
    divided = divide_cells(cells, rows, xs)
    if divided is None:
        return None
    cells = _without_empty_lines(divided)
    rows = max((cell.end_row for cell in cells), default=0)
    columns = max((cell.end_column for cell in cells), default=0)
    if rows < 2 or columns < 2 or sum(bool(cell.text) for cell in cells) < 3:
        return None
    heads = count_heads(cells, rows)
    if any(len(cell.text) > _LONGEST_HEAD for cell in cells if cell.row < heads):
        return None
    starts = tuple(sorted({cell.column: cell.box[0] for cell in cells}.values()))
    return FoundTable(box, cells, heads, starts)


def _places(values: list[float]) -> list[float]:
    """Return sorted values, those nearer than ``_SNAP`` as one."""
    places: list[float] = []
    for value in sorted(values):
        if not places or value - places[-1] > _SNAP:
            places.append(value)
    return places


def _merged_slots(
    flat: list[Rule], upright: list[Rule], xs: list[float], ys: list[float]
) -> list[tuple[int, int, int, int]]:
    """Return rectangles of slots (row, column, end row, end column) without a rule inside."""
    rows, columns = len(ys) - 1, len(xs) - 1
    right = _walls(upright, xs, ys)  # right[column][row]: a wall on the left side of that column
    below = _walls(flat, ys, xs)  # below[row][column]: a wall above that row
    taken = [[False] * columns for _ in range(rows)]
    areas: list[tuple[int, int, int, int]] = []
    for row in range(rows):
        for column in range(columns):
            if taken[row][column]:
                continue
            end_column = column + 1
            while end_column < columns and not right[end_column][row] and not taken[row][end_column]:
                end_column += 1
            end_row = row + 1
            while (
                end_row < rows
                and not any(below[end_row][c] or taken[end_row][c] for c in range(column, end_column))
                and not any(right[c][end_row] for c in range(column + 1, end_column))
            ):
                end_row += 1
            for r in range(row, end_row):
                taken[r][column:end_column] = [True] * (end_column - column)
            areas.append((row, column, end_row, end_column))
    return areas


def _walls(rules: list[Rule], places: list[float], others: list[float]) -> list[list[bool]]:
    """Return for each of ``places`` whether rules cover each step between ``others``."""
    walls = [[False] * (len(others) - 1) for _ in places]
    for rule in rules:
        near = min(range(len(places)), key=lambda n: abs(places[n] - rule.at))
        for step in range(len(others) - 1):
            start, end = others[step], others[step + 1]
            if min(rule.end, end) - max(rule.start, start) >= _COVERED * (end - start):
                walls[near][step] = True
    return walls


def _filled(
    areas: list[tuple[int, int, int, int]], fragments: list[Fragment], xs: list[float], ys: list[float]
) -> list[Held]:
    slot_of = {
        (r, c): number
        for number, (row, column, end_row, end_column) in enumerate(areas)
        for r in range(row, end_row)
        for c in range(column, end_column)
    }
    by_area: list[list[Fragment]] = [[] for _ in areas]
    for fragment in fragments:
        x = (fragment.box[0] + fragment.box[2]) / 2
        y = (fragment.box[1] + fragment.box[3]) / 2
        column = min(max(bisect_left(xs, x) - 1, 0), len(xs) - 2)
        row = min(max(bisect_left(ys, y) - 1, 0), len(ys) - 2)
        by_area[slot_of[row, column]].append(fragment)
    cells = []
    for (row, column, end_row, end_column), inside in zip(areas, by_area, strict=True):
        box = (xs[column], ys[row], xs[end_column], ys[end_row])
        cells.append((Cell(cell_text(inside), row, column, end_row, end_column, box), inside))
    return cells


def _without_empty_lines(cells: list[Held]) -> list[Cell]:
    """Drop rows and columns in which no cell with words starts (double rules, shaded margins)."""
    kept = [cell for cell, _ in cells]
    rows = sorted({cell.row for cell in kept if cell.text})
    columns = sorted({cell.column for cell in kept if cell.text})
    row_at = {row: number for number, row in enumerate(rows)}
    column_at = {column: number for number, column in enumerate(columns)}
    result = []
    for cell in kept:
        covered_rows = [row_at[row] for row in range(cell.row, cell.end_row) if row in row_at]
        covered_columns = [column_at[column] for column in range(cell.column, cell.end_column) if column in column_at]
        if covered_rows and covered_columns:
            cell.row, cell.end_row = covered_rows[0], covered_rows[-1] + 1
            cell.column, cell.end_column = covered_columns[0], covered_columns[-1] + 1
            result.append(cell)
    return result
