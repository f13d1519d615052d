"""Order the rows of a page by columns.

Rows are grouped from the top as long as a white strip runs through all of them; then the left side of the strip is read
before the right one, each recursively. Tables and pictures block strips like text. Tables and forms without rules are
taken out first (``aligned.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from backtrail.ingest.pdf.fragments import Fragment, Row
from backtrail.ingest.pdf.geometry import Box
from backtrail.ingest.pdf.gutters import GUTTER, Piece, Strip, common, inner, pieces, white

_MAX_DEPTH = 6
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 12: 1 page; at 50: 1 page.
_TEXT = 25  # minimum of letters of a line of text
# At 1: 6 pages, pairs -65 right, -63 found.
_LINES = 3  # minimum of lines of text in a column
# At 1.5: 1 page.
_FULL = 0.75  # minimum share of a column's width that a line of text fills
_SLACK = 3.0  # points
# At 2: 1 page; at 8: 2 pages.
_MARK_LETTERS = 4  # maximum of a bullet, a number or a line number in the margin


@dataclass(slots=True)
class Placed:
    """A unit of reading: a row of text (``form``: a separate line), or an object by its number."""

    box: Box
    row: Row | None = None
    object: int = -1
    form: bool = False
    pieces: list[Piece] = field(default_factory=list)

    @property
    def size(self) -> float:
        """The font size; for an object a default that sets the gap around it."""
        return self.row.size if self.row is not None else 10.0


Column = list[Placed]


@dataclass(frozen=True)
class Found:
    """Columns that are already read: a table, or the groups of a form."""

    columns: list[Column]


Part = Found | list[Placed]
"""A table or form found in rows, or the rows between."""


def place_row(row: Row, *, form: bool = False) -> Placed:
    """Place a row."""
    return Placed(row.box, row, form=form, pieces=pieces(row))


def place_object(box: Box, number: int) -> Placed:
    """Place a table or picture."""
    return Placed(box, object=number, pieces=[Piece((), box[0], box[2])])


def read_columns(placed: Sequence[Placed], split: Callable[[Sequence[Placed]], list[Part]]) -> list[Column]:
    """Return columns in reading order, each with its rows and objects from the top.

    Args:
        placed: rows and objects.
        split: splits sorted rows into tables, forms and the rows between.
    """
    return [column for column in _read(placed, split, 0) if column]


def _read(placed: Sequence[Placed], split: Callable[[Sequence[Placed]], list[Part]], depth: int) -> list[Column]:
    ordered = sorted(placed, key=lambda one: one.row.base if one.row is not None else one.box[1])
    columns: list[Column] = [[]]
    for sides in text_columns(ordered):
        if len(sides) > 1 and depth < _MAX_DEPTH:
            for side in sides:
                columns += _read(side, split, depth + 1)
            columns.append([])
        else:
            _read_rows(sides[0], split, depth, columns)
    return columns


def _read_rows(
    ordered: Sequence[Placed], split: Callable[[Sequence[Placed]], list[Part]], depth: int, columns: list[Column]
) -> None:
    for part in split(ordered):
        if isinstance(part, Found):
            columns += [*part.columns, []]
            continue
        for region in regions(part):
            strips = [strip for strip in region.strips if _parts_columns(strip, region.placed)]
            if not strips or depth == _MAX_DEPTH:
                columns[-1] += region.placed  # text that continues
                continue
            for side in _cut(region.placed, strips):
                columns += _read(side, split, depth + 1)
            columns.append([])  # the next rows do not continue the last column


def text_columns(ordered: Sequence[Placed]) -> list[list[list[Placed]]]:
    """Divide sorted rows into those of one column and those of two, which have lines of text on both sides.

    So tables side by side, or beside text, are not read as one although their rows may be level. Off: lines of
    both columns mix in tables on 4 of 17 pages of a report in two columns.

    Returns:
        Consecutive groups of rows: each one list, or the two sides in reading order.
    """
    lines = [piece for one in ordered for piece in one.pieces if piece.letters >= _TEXT]
    starts = Counter(round(piece.x0) for piece in lines)
    first = min((piece.x0 for piece in lines), default=0.0)
    last = max((piece.x1 for piece in lines), default=0.0)
    edge, count = max(((x, n) for x, n in starts.items() if x - first > last - x - _SLACK), default=(0, 0), key=_second)
    if count < _LINES:
        return [[list(ordered)]]
    groups: list[list[list[Placed]]] = []
    for crosses, run in groupby(ordered, lambda one: _crosses(one, edge)):
        rows = list(run)
        strip = (edge - GUTTER * rows[0].size, float(edge))
        if not crosses and _has_text(rows, first, edge) and _has_text(rows, edge, last):
            groups.append(_cut(rows, [strip]))
        elif groups and len(groups[-1]) == 1:
            groups[-1][0] += rows
        else:
            groups.append([rows])
    return groups


def _second(pair: tuple[int, int]) -> int:
    return pair[1]


def _crosses(one: Placed, edge: float) -> bool:
    """Whether a row or object has no gap left of an edge."""
    boxes = [fragment.box for fragment in one.row.fragments] if one.row is not None else [one.box]
    return any(box[0] < edge - _SLACK and box[2] > edge - GUTTER * one.size for box in boxes)


def _has_text(rows: Sequence[Placed], left: float, right: float) -> bool:
    """Whether lines of text fill most of the width between two edges."""
    lines = [
        piece
        for one in rows
        for piece in one.pieces
        if piece.letters >= _TEXT and left - _SLACK <= piece.x0 and piece.x1 <= right + _SLACK
    ]
    return sum(line.x1 - line.x0 >= _FULL * (right - left) for line in lines) >= _LINES


@dataclass
class Region:
    """Consecutive rows with the same white strips (none for text in one column)."""

    placed: list[Placed]
    strips: list[Strip]


def regions(ordered: Sequence[Placed]) -> list[Region]:
    """Group rows from the top by their common strips."""
    found: list[Region] = []
    current: list[Placed] = []
    strips: list[Strip] = []
    for one in ordered:
        mine = white(one.pieces)
        width = GUTTER * max(one.size, 4.0)
        shared = common(strips, mine, width) if current else mine
        had, has = inner(strips) if current else [], inner(shared)
        alone = len(one.pieces) == 1
        if not current or has or (not had and alone):
            current.append(one)
            strips = shared
            continue
        held_back = _held_back(current, one) if had else []
        found.append(Region(current[: len(current) - len(held_back)], inner(strips)))
        current = [*held_back, one]
        strips = _all_white(current)
    if current:
        found.append(Region(current, inner(strips)))
    return found


def _all_white(placed: Sequence[Placed]) -> list[Strip]:
    strips = white(placed[0].pieces)
    for one in placed[1:]:
        strips = common(strips, white(one.pieces), GUTTER * max(one.size, 4.0))
    return strips


def _parts_columns(strip: Strip, placed: Sequence[Placed]) -> bool:
    """Whether both sides of a strip are columns: at least two lines, and not only marks of the other side's lines."""
    middle = (strip[0] + strip[1]) / 2
    left = [[piece for piece in one.pieces if piece.x1 <= middle] for one in placed]
    right = [[piece for piece in one.pieces if piece.x0 >= middle] for one in placed]
    return _is_column(left, right, placed) and _is_column(right, left, placed)


def _is_column(side: list[list[Piece]], other: list[list[Piece]], placed: Sequence[Placed]) -> bool:
    filled = [number for number, line in enumerate(side) if line]
    if any(placed[number].row is None for number in filled):
        return True
    tiny = all(sum(piece.letters for piece in side[number]) <= _MARK_LETTERS for number in filled)
    return len(filled) >= 2 and not (tiny and sum(bool(other[number]) for number in filled) >= 0.8 * len(filled))


def _held_back(region: list[Placed], following: Placed) -> list[Placed]:
    """Return single lines at the end of a region that are nearer to the next one: its heading."""
    heading: list[Placed] = []
    for one, before in zip(reversed(region), reversed(region[:-1]), strict=False):
        below = (heading[0] if heading else following).box[1] - one.box[3]
        above = one.box[1] - before.box[3]
        if len(one.pieces) != 1 or above <= below or above < 0.5 * one.size or len(heading) == 2:
            break
        heading.insert(0, one)
    return heading


def _cut(placed: Sequence[Placed], strips: Sequence[Strip]) -> list[list[Placed]]:
    """Split rows at the strips, from left to right (from right to left for such scripts)."""
    edges = sorted((left + right) / 2 for left, right in strips)
    sides: list[list[Placed]] = [[] for _ in range(len(edges) + 1)]
    for one in placed:
        if one.row is None:
            middle = (one.box[0] + one.box[2]) / 2
            sides[sum(middle > edge for edge in edges)].append(one)
            continue
        parts: list[list[Fragment]] = [[] for _ in sides]
        for piece in one.pieces:
            for fragment in piece.fragments:
                middle = (fragment.box[0] + fragment.box[2]) / 2
                parts[sum(middle > edge for edge in edges)].append(fragment)
        for side, fragments in zip(sides, parts, strict=True):
            if fragments:
                size = max(fragment.size for fragment in fragments)
                base = next(fragment.base for fragment in fragments if fragment.size == size)
                side.append(place_row(Row(fragments, base, size)))
    kept = [side for side in sides if side]
    return kept[::-1] if _mostly_rtl(placed) else kept


def _mostly_rtl(placed: Sequence[Placed]) -> bool:
    fragments = [fragment for one in placed if one.row is not None for fragment in one.row.fragments]
    return 2 * sum(fragment.rtl for fragment in fragments) > len(fragments)
