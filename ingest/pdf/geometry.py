"""Boxes, and maps from a PDF's coordinates to those of the displayed page.

A box is x0, top, x1, bottom in points from the upper left corner of the displayed page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

Box = tuple[float, float, float, float]

UPRIGHT, DOWN, OVER, UP = range(4)
"""Directions of text: to the right, downwards, to the left upside down, upwards."""

_LETTER = (0.0, 0.0, 612.0, 792.0)  # default of viewers for a page without a box


@dataclass(frozen=True)
class Frame:
    """An affine map: X = a x + c y + e, Y = b x + d y + f; ``width`` and ``height`` are the target's."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    width: float
    height: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Map a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Map a rectangle, given by two opposite corners."""
        (left, top), (right, bottom) = self.point(x0, y0), self.point(x1, y1)
        return min(left, right), min(top, bottom), max(left, right), max(top, bottom)

    def direction(self, x: float, y: float) -> int:
        """Return the direction of text with this writing direction after the map."""
        across, down = self.a * x + self.c * y, self.b * x + self.d * y
        if abs(across) >= abs(down):
            return UPRIGHT if across >= 0 else OVER
        return DOWN if down > 0 else UP

    def turned(self, turn: int) -> Frame:
        """Return the frame in which text of this direction reads from left to right, line below line."""
        width, height = self.width, self.height
        if turn == UP:  # X' = height - Y, Y' = X
            return Frame(-self.b, self.a, -self.d, self.c, height - self.f, self.e, height, width)
        if turn == DOWN:  # X' = Y, Y' = width - X
            return Frame(self.b, -self.a, self.d, -self.c, self.f, width - self.e, height, width)
        if turn == OVER:
            return Frame(-self.a, -self.b, -self.c, -self.d, width - self.e, height - self.f, width, height)
        return self


def shown_again(box: Box, turn: int, page: Frame) -> Box:
    """Map a box of a turned frame back to the displayed page."""
    x0, top, x1, bottom = box
    if turn == UP:
        return top, page.height - x1, bottom, page.height - x0
    if turn == DOWN:
        return page.width - bottom, x0, page.width - top, x1
    if turn == OVER:
        return page.width - x1, page.height - bottom, page.width - x0, page.height - top
    return box


def page_frame(page: Any) -> Frame:
    """Return the map from a page's own coordinates (y upwards, before rotation) to the displayed page."""
    rect = pdfium.FS_RECTF()
    found = pdfium.FPDF_GetPageBoundingBox(page, rect)
    left, low, right, high = (rect.left, rect.bottom, rect.right, rect.top) if found else _LETTER
    width, height = max(right - left, 1.0), max(high - low, 1.0)
    turn = pdfium.FPDFPage_GetRotation(page)
    if turn == 1:
        return Frame(0, 1, 1, 0, -low, -left, height, width)
    if turn == 2:
        return Frame(-1, 0, 0, 1, right, -low, width, height)
    if turn == 3:
        return Frame(0, -1, -1, 0, high, right, height, width)
    return Frame(1, 0, 0, -1, -left, high, width, height)


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all boxes, of which there must be at least one."""
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return min(x0), min(top), max(x1), max(bottom)


def centre_in(inner: Box, outer: Box, slack: float = 0.0) -> bool:
    """Whether the centre of one box is in the other, enlarged by ``slack`` on all sides."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - slack <= x <= outer[2] + slack and outer[1] - slack <= y <= outer[3] + slack


def across(one: Box, other: Box) -> float:
    """Return the horizontal overlap of two boxes; negative is the gap between them."""
    return min(one[2], other[2]) - max(one[0], other[0])


def along(one: Box, other: Box) -> float:
    """Return the vertical overlap of two boxes; negative is the gap between them."""
    return min(one[3], other[3]) - max(one[1], other[1])


def area(box: Box) -> float:
    """Return the area in square points."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)
