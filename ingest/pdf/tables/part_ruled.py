"""Tables with rules only above, below and under the header, as in books and papers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.fragments import Fragment, read_rows
from backtrail.ingest.pdf.geometry import Box, area, centre_in, union
from backtrail.ingest.pdf.gutters import pieces
from backtrail.ingest.pdf.tables.columns import column_strips, piece_columns, row_texts, table_of
from backtrail.ingest.pdf.tables.grid import FoundTable
from backtrail.ingest.pdf.tables.header_rows import ruled_heads

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.25: 12 pages, pairs -49 right, +100 found; at 1: 7 pages, pairs +0 right, -42 found.
_GUTTER = 0.5  # of the font size: narrower than elsewhere, as rules show that there is a table
# At 8: pairs +0 right, -2 found.
_SAME_END = 4.0  # points by which the ends of a table's rules may differ
# At 20: 1 page.
_SHORTEST = 40.0  # points
_MAX_HEIGHT = 600.0  # points between two rules of one table
_MAX_RULES = 300  # per page: with more, they are not rules of such tables
_MOST_HEADS = 5
_MOST_FRAMES = 3  # nested frames


def part_ruled_tables(rules: Sequence[Rule], fragments: Sequence[Fragment]) -> list[FoundTable]:
    """Return tables between rules of the same extent.

    Args:
        rules: joined rules that are not part of a ruled table.
        fragments: fragments that are not in another table.
    """
    flat = sorted((rule for rule in rules if not rule.upright and rule.end - rule.start >= _SHORTEST), key=_height)
    if len(flat) > _MAX_RULES:
        return []
    inner: list[Box] = []
    found: list[FoundTable] = []
    for _ in range(_MOST_FRAMES):
        found = _stacked(flat, fragments, inner)
        framed = [one.box for one in found if any(_holds(other.box, one.box) for other in found)]
        if not framed:
            break
        inner += framed  # a frame around a table is not a table
    return [one for one in found if not any(_holds(one.box, other.box) for other in found)]


def _stacked(flat: Sequence[Rule], fragments: Sequence[Fragment], inner: Sequence[Box]) -> list[FoundTable]:
    """Return tables between rules, from the top, except those around one of the ``inner`` boxes."""
    found: list[FoundTable] = []
    used: set[int] = set()
    for number, top in enumerate(flat):
        if number in used:
            continue
        same = [n for n in range(number, len(flat)) if n not in used and _same_extent(flat[n], top)]
        for count in range(len(same), 1, -1):  # the whole stack first, then its upper rules
            stack = [flat[other] for other in same[:count]]
            box = (stack[0].start, stack[0].at, stack[-1].end, stack[-1].at)
            table = None if any(_holds(box, one) for one in inner) else _between(stack, flat, fragments)
            if table is not None:
                found.append(table)
                used.update(same[:count])
                break
    return found


def _holds(outer: Box, inner: Box) -> bool:
    return area(inner) < 0.95 * area(outer) and centre_in(inner, outer)


def _height(rule: Rule) -> float:
    return rule.at


def _same_extent(one: Rule, other: Rule) -> bool:
    return abs(one.start - other.start) <= _SAME_END and abs(one.end - other.end) <= _SAME_END


def _between(stack: Sequence[Rule], flat: Sequence[Rule], fragments: Sequence[Fragment]) -> FoundTable | None:
    if any(lower.at - upper.at > _MAX_HEIGHT for upper, lower in pairwise(stack)):
        return None
    box = (stack[0].start, stack[0].at, stack[-1].end, stack[-1].at)
    inside = [
        fragment
        for fragment in fragments
        if box[1] - 1 <= (fragment.box[1] + fragment.box[3]) / 2 <= box[3] + 1
        and box[0] - 8 <= (fragment.box[0] + fragment.box[2]) / 2 <= box[2] + 8
    ]
    rows = read_rows(inside)
    if len(rows) < 2:
        return None
    partial = [rule for rule in flat if box[1] < rule.at < box[3] and rule.end - rule.start < 0.9 * (box[2] - box[0])]
    heads = sum(row.base < stack[1].at for row in rows) if len(stack) > 2 else 1
    if not 1 <= heads <= _MOST_HEADS or heads >= len(rows):
        heads = 1
    cut = [pieces(row, _GUTTER) for row in rows]
    body = cut[heads:]
    size = median(row.size for row in rows)
    strips, every = column_strips(body, size), column_strips(cut, size)
    if heads == 1 and not ruled_heads(row_texts([piece_columns(row, every) for row in cut], len(every) + 1), heads):
        strips = every  # the first row belongs to the body
    if not strips or sum(len(row) > 1 for row in body) < max(1, 0.5 * len(body)):
        return None
    whole = union([box, *(row.box for row in rows)])
    return table_of(rows, cut, strips, whole, heads=heads, partial=partial)
