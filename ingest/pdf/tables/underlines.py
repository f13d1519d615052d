"""Find the columns above the underline of a head of a table of figures."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.tables.head_spans import Column, Span
from backtrail.ingest.pdf.tables.row_cells import Line, RowCell
from backtrail.ingest.pdf.tables.ruled import join_rules

CENTRED = 2.0
"""Maximum distance of the middles of a head and of its columns, of the font size."""

_FAR = 0.9  # maximum distance of a head's baseline and the rule below it, of the font size
_MOST = 60  # rules below one line of heads
_TOUCHING = 1.0  # points between strokes of one underline; underlines of two groups of columns are farther apart
_EXACT = 1.0  # points: nearer middles are the same


def underlined(
    heads: Sequence[RowCell], line: Line, columns: Sequence[Column], rules: Sequence[Rule]
) -> list[Span | None]:
    """Return the columns above the underline of each head of a line, where there is one.

    Drawn rules count before edges of fills. One below several heads may be drawn in parts: then a head has those in
    whose middle it is.

    Args:
        heads: the heads, from the left.
        line: their line.
        columns: columns of figures, from the left.
        rules: horizontal rules of the page.
    """
    near = [rule for rule in rules if -0.1 * line.size <= rule.at - line.row.base <= _FAR * line.size]
    found: list[Span | None] = [None] * len(heads)
    drawn = [rule for rule in near if not rule.edge]
    for tried in (join_rules(drawn, _TOUCHING), drawn, join_rules(near, _TOUCHING)):
        below = _over_columns(tried, columns)
        for number, head in enumerate(heads):
            others = [*heads[:number], *heads[number + 1 :]]
            found[number] = found[number] or _widest(head, below, others, columns[0].x0, CENTRED * line.size)
    return found


def _over_columns(rules: Sequence[Rule], columns: Sequence[Column]) -> list[tuple[Rule, list[int]]]:
    """Return rules from the left, each with the columns above it."""
    ordered = sorted(rules, key=lambda rule: rule.start)[:_MOST]
    held = [[n for n, one in enumerate(columns) if rule.start - 2 <= one.middle <= rule.end + 2] for rule in ordered]
    return [(rule, over) for rule, over in zip(ordered, held, strict=True) if over]


def _widest(
    head: RowCell, below: Sequence[tuple[Rule, list[int]]], others: Sequence[RowCell], left: float, slack: float
) -> Span | None:
    """Return the columns of the widest run of rules at one height in whose middle a head is; none is below another."""
    best, found = (slack, 0.0), None
    for first, (one, covered) in enumerate(below):
        end = covered[-1]
        for last, over in below[first:]:
            if abs(last.at - one.at) > _EXACT:
                continue
            if over[0] > end + 1 or any(one.start <= other.middle <= last.end for other in others):
                break
            end = over[-1]
            starts = (one.start, max(one.start, left))  # it may be below the labels too
            off = min(abs((start + last.end) / 2 - head.middle) for start in starts)
            fit = (max(off, _EXACT), one.start - last.end)
            if fit <= best:
                best, found = fit, (covered[0], end + 1)
    return found
