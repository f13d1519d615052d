"""Gutters: white strips between columns of text or of a table."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from backtrail.ingest.pdf.fragments import Fragment, Row
from backtrail.ingest.pdf.geometry import Box, union

Strip = tuple[float, float]

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.4: 8 pages; at 1.6: 13 pages.
GUTTER = 0.8
"""Of the font size: narrower gaps within a row are spaces between words."""

_MARK = re.compile(r"^([•◦▪■□●○‣⁃∙·–—*\-]|\(?([0-9]{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)]|\[\d{1,3}\])$")
_DASHES = "-–—−"
# Of the font size: maximum gap between a bullet or number and its text. At 1, bullets are parted from their text on 278
# of 2,592 pages; at 6, figures in brackets are joined to the next on 104.
_MARK_GAP = 3.0


@dataclass(frozen=True, slots=True)
class Piece:
    """Fragments of a row without a gutter between them."""

    fragments: tuple[Fragment, ...]
    x0: float
    x1: float

    @property
    def box(self) -> Box:
        """The box around all fragments."""
        return union(fragment.box for fragment in self.fragments)

    @property
    def letters(self) -> int:
        """Number of letters."""
        return sum(len(fragment.text) for fragment in self.fragments)


def pieces(row: Row, gutter: float = GUTTER) -> list[Piece]:
    """Cut a row at its wide gaps; a bullet stays with its text."""
    groups: list[list[Fragment]] = [[row.fragments[0]]]
    reach = row.fragments[0].box[2]
    for left, right in pairwise(row.fragments):
        gap = (right.box[0] - reach) / max(row.size, 1.0)
        marked = len(groups[-1]) == 1 and gap <= _MARK_GAP and _is_mark(left.text, first=len(groups) == 1)
        if gap > gutter and not marked:
            groups.append([])
        groups[-1].append(right)
        reach = max(reach, right.box[2])
    return [Piece(tuple(group), group[0].box[0], max(f.box[2] for f in group)) for group in groups]


def _is_mark(text: str, *, first: bool) -> bool:
    """Whether a piece is a bullet or a number before its text; a dash within a row is a missing value."""
    return bool(_MARK.match(text)) and (first or text not in _DASHES)


def white(row: Sequence[Piece]) -> list[Strip]:
    """Return the white strips beside and between the pieces of a row."""
    strips: list[Strip] = []
    edge = -math.inf
    for piece in row:
        if piece.x0 > edge:
            strips.append((edge, piece.x0))
        edge = max(edge, piece.x1)
    return [*strips, (edge, math.inf)]


def common(one: Sequence[Strip], other: Sequence[Strip], width: float) -> list[Strip]:
    """Return the strips that are white in both and wide enough."""
    found: list[Strip] = []
    for start, end in one:
        for begin, stop in other:
            left, right = max(start, begin), min(end, stop)
            if right - left >= width:
                found.append((left, right))
    return found


def inner(strips: Sequence[Strip]) -> list[Strip]:
    """Return the strips with text on both sides: all except the margins."""
    return [strip for strip in strips if not math.isinf(strip[0]) and not math.isinf(strip[1])]
