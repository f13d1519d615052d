"""From the rows of a page to columns in reading order.

Rows are taken together from the top as long as one white strip runs down through all of them; then what is left of the
strip is read before what is right of it, and each side is looked at in the same way. Tables and pictures stand in the
way like text. Tables and forms without rules are taken out on the way (``aligned.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backtrail.ingest.pdf.fragments import Fragment, Row
from backtrail.ingest.pdf.geometry import Box
from backtrail.ingest.pdf.gutters import GUTTER, Piece, Strip, common, inner, pieces, white

_MAX_DEPTH = 6
_MARK_LETTERS = 4  # of a bullet, a number or a line's number in the margin


@dataclass(slots=True)
class Placed:
    """Something that is read as one: a row of text (``form``: a line of its own), or an object by its number."""

    box: Box
    row: Row | None = None
    object: int = -1
    form: bool = False
    pieces: list[Piece] = field(default_factory=list)

    @property
    def size(self) -> float:
        """The size of its letters; for an object that of the gap it needs."""
        return self.row.size if self.row is not None else 10.0


Column = list[Placed]


@dataclass(frozen=True)
class Found:
    """What was read otherwise: a table, or the groups of a form."""

    columns: list[Column]


Part = Found | list[Placed]
"""Of rows from the top: what was found in them, or those between."""


def place_row(row: Row, *, form: bool = False) -> Placed:
    """A row to be read."""
    return Placed(row.box, row, form=form, pieces=pieces(row))


def place_object(box: Box, number: int) -> Placed:
    """A table or picture to be read."""
    return Placed(box, object=number, pieces=[Piece((), box[0], box[2])])


def read_columns(placed: Sequence[Placed], split: Callable[[Sequence[Placed]], list[Part]]) -> list[Column]:
    """Columns in reading order, each with its rows and objects from the top.

    Args:
        placed: rows and objects.
        split: takes tables and forms out of rows from the top.
    """
    return [column for column in _read(placed, split, 0) if column]


def _read(placed: Sequence[Placed], split: Callable[[Sequence[Placed]], list[Part]], depth: int) -> list[Column]:
    ordered = sorted(placed, key=lambda one: one.row.base if one.row is not None else one.box[1])
    columns: list[Column] = [[]]
    for part in split(ordered):
        if isinstance(part, Found):
            columns += [*part.columns, []]
            continue
        for region in regions(part):
            strips = [strip for strip in region.strips if _parts_columns(strip, region.placed)]
            if not strips or depth == _MAX_DEPTH:
                columns[-1] += region.placed  # text that runs on
                continue
            for side in _cut(region.placed, strips):
                columns += _read(side, split, depth + 1)
            columns.append([])  # what follows does not run on from the last column
    return columns


@dataclass
class Region:
    """Rows one below the other through which the same strips run (none for text in one column)."""

    placed: list[Placed]
    strips: list[Strip]


def regions(ordered: Sequence[Placed]) -> list[Region]:
    """Rows from the top grouped by the strips they have in common."""
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
    """Whether there is a column on both sides of a strip: two lines, and more than marks beside the other side's."""
    middle = (strip[0] + strip[1]) / 2
    left = [[piece for piece in one.pieces if piece.x1 <= middle] for one in placed]
    right = [[piece for piece in one.pieces if piece.x0 >= middle] for one in placed]
    return _is_column(left, right, placed) and _is_column(right, left, placed)


def _is_column(side: list[list[Piece]], other: list[list[Piece]], placed: Sequence[Placed]) -> bool:
    held = [number for number, line in enumerate(side) if line]
    if any(placed[number].row is None for number in held):
        return True
    tiny = all(sum(piece.letters for piece in side[number]) <= _MARK_LETTERS for number in held)
    return len(held) >= 2 and not (tiny and sum(bool(other[number]) for number in held) >= 0.8 * len(held))


def _held_back(region: list[Placed], following: Placed) -> list[Placed]:
    """Lines at the end of a region that stand alone and nearer to what follows: its heading."""
    held: list[Placed] = []
    for one, before in zip(reversed(region), reversed(region[:-1]), strict=False):
        below = (held[0] if held else following).box[1] - one.box[3]
        above = one.box[1] - before.box[3]
        if len(one.pieces) != 1 or above <= below or above < 0.5 * one.size or len(held) == 2:
            break
        held.insert(0, one)
    return held


def _cut(placed: Sequence[Placed], strips: Sequence[Strip]) -> list[list[Placed]]:
    """What stands between the strips, from left to right (from the right where the script runs so)."""
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
