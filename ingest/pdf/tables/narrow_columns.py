"""Find columns separated by gaps hardly wider than a space, by the usual space and many rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.fragments import Row, joined
from backtrail.ingest.pdf.gutters import GUTTER, Piece, Strip, pieces
from backtrail.ingest.pdf.tables.columns import column_strips
from backtrail.ingest.pdf.tables.grid import is_number

_NARROWEST = 0.35  # minimum gap between columns, of the font size
_WIDER = 1.7  # minimum gap between columns, of the usual space
_ENOUGH = 4  # minimum of spaces to measure the usual one
_BOTH = 0.6  # minimum share of rows with words on both sides of a gap
_FEWEST = 2  # rows


def cut_finely(rows: Sequence[Row], strips: Sequence[Strip], at_most: float) -> tuple[list[list[Piece]], list[Strip]]:
    """Cut rows at narrow gaps between columns, too; return the pieces and the strips between all columns.

    Args:
        rows: rows of a table.
        strips: strips between the columns that wider gaps separate.
        at_most: minimum gap by which these were found, of the font size.
    """
    size = median(row.size for row in rows)
    coarse = [pieces(row, at_most) for row in rows]
    gutter = _gutter(rows)
    if gutter >= at_most:
        return coarse, list(strips)
    fine = [pieces(row, gutter) for row in rows]
    edges = [float("-inf"), *((left + right) / 2 for left, right in strips), float("inf")]
    added: list[Strip] = []
    for left, right in pairwise(edges):
        within = [[piece for piece in row if left <= piece.x0 and piece.x1 <= right] for row in fine]
        lines = [row for row in within if row]
        if any(len(row) > 1 for row in lines):
            added += [strip for strip in column_strips(lines, size) if _parts(strip, lines)]
    if not added:
        return coarse, list(strips)
    parted = [[one for piece in row for one in _parted(piece, added, size)] for row in coarse]
    return parted, sorted([*strips, *added])


def _gutter(rows: Sequence[Row]) -> float:
    """Return the minimum gap between columns, of the font size."""
    gaps = [
        (right.box[0] - left.box[2]) / max(row.size, 1.0) for row in rows for left, right in pairwise(row.fragments)
    ]
    spaces = sorted(gap for gap in gaps if 0.1 < gap < GUTTER)
    return max(_NARROWEST, _WIDER * spaces[len(spaces) // 3]) if len(spaces) >= _ENOUGH else GUTTER


def _parts(strip: Strip, lines: Sequence[Sequence[Piece]]) -> bool:
    """Whether most lines have words on both sides of a strip, figures on one of them."""
    middle = (strip[0] + strip[1]) / 2
    sides = [([p for p in line if p.x1 <= middle], [p for p in line if p.x0 >= middle]) for line in lines]
    both = [(left, right) for left, right in sides if left and right]
    if len(both) < max(_FEWEST, _BOTH * len(lines)):
        return False
    figures = (sum(is_number(joined(side[n][-1 + n].fragments)) for side in both) for n in (0, 1))
    return max(figures) >= _BOTH * len(both)


def _parted(piece: Piece, strips: Sequence[Strip], size: float) -> list[Piece]:
    """Cut a piece at the strips where it has a gap."""
    for left, right in strips:
        middle = (left + right) / 2
        before = tuple(fragment for fragment in piece.fragments if fragment.box[2] <= middle)
        after = piece.fragments[len(before) :]
        clear = before and after and all(f.box[0] >= middle for f in after)
        if clear and after[0].box[0] - before[-1].box[2] >= _NARROWEST * size:
            first, second = Piece(before, piece.x0, before[-1].box[2]), Piece(after, after[0].box[0], piece.x1)
            return [*_parted(first, strips, size), *_parted(second, strips, size)]
    return [piece]
