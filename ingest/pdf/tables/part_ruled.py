"""Tables ruled above, below and under the head only, as in books and papers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.fragments import Fragment, read_rows
from backtrail.ingest.pdf.geometry import union
from backtrail.ingest.pdf.gutters import Piece, pieces
from backtrail.ingest.pdf.tables.columns import column_strips, piece_columns, table_of
from backtrail.ingest.pdf.tables.grid import FoundTable

_GUTTER = 0.5  # of the size: between rules narrower gaps part columns than elsewhere
_SAME_END = 4.0  # points by which rules of one table may differ at their ends
_SHORTEST = 40.0  # points
_MAX_HEIGHT = 600.0  # points between two rules of one table
_MAX_RULES = 300  # of one page: where there are more, they are no rules of such tables
_LONG = 30  # letters of a line of running text
_MOST_HEADS = 5


def part_ruled_tables(rules: Sequence[Rule], fragments: Sequence[Fragment]) -> list[FoundTable]:
    """Tables between rules of the same extent.

    Args:
        rules: joined rules that are not part of a ruled table.
        fragments: all that is not in another table.
    """
    flat = sorted((rule for rule in rules if not rule.upright and rule.end - rule.start >= _SHORTEST), key=_height)
    if len(flat) > _MAX_RULES:
        return []
    found: list[FoundTable] = []
    used: set[int] = set()
    for number, top in enumerate(flat):
        if number in used:
            continue
        same = [n for n in range(number, len(flat)) if n not in used and _same_extent(flat[n], top)]
        for count in range(len(same), 1, -1):  # the whole stack first, then its upper rules
            table = _between([flat[other] for other in same[:count]], flat, fragments)
            if table is not None:
                found.append(table)
                used.update(same[:count])
                break
    return found


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
    strips = column_strips(body, median(row.size for row in rows))
    if not strips or sum(len(row) > 1 for row in body) < max(1, 0.5 * len(body)) or _is_prose(body, len(strips) + 1):
        return None
    whole = union([box, *(row.box for row in rows)])
    return table_of(rows, cut, strips, whole, heads=heads, partial=partial)


def _is_prose(rows: Sequence[Sequence[Piece]], columns: int) -> bool:
    """Whether what stands between the rules is text, in columns or not."""
    if columns > 3:
        return False
    edges = column_strips(rows, 10.0)
    lines = [piece.letters for row in rows for _, piece in piece_columns(row, edges)]
    long = sum(any(piece.letters >= _LONG for piece in row) for row in rows)
    return 2 * long > len(rows) and median(lines) >= _LONG
