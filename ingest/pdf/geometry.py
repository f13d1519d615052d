"""Boxes, and the way from a PDF's coordinates to those of the page as it is shown.

A box is x0, top, x1, bottom in points from the upper left corner of the page as a viewer shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

Box = tuple[float, float, float, float]

UPRIGHT, DOWN, OVER, UP = range(4)
"""Which way text runs: to the right, downwards, to the left upside down, upwards."""

_LETTER = (0.0, 0.0, 612.0, 792.0)  # what viewers take where a page has no box


@dataclass(frozen=True)
class Frame:
    """An affine map: X = a x + c y + e, Y = b x + d y + f; ``width`` and ``height`` are those of what it maps to."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    width: float
    height: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point comes to lie."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Where a rectangle, given by any two opposite corners, comes to lie."""
        (left, top), (right, bottom) = self.point(x0, y0), self.point(x1, y1)
        return min(left, right), min(top, bottom), max(left, right), max(top, bottom)

    def direction(self, x: float, y: float) -> int:
        """Which way text with this writing direction runs after the map."""
        across, down = self.a * x + self.c * y, self.b * x + self.d * y
        if abs(across) >= abs(down):
            return UPRIGHT if across >= 0 else OVER
        return DOWN if down > 0 else UP

    def turned(self, turn: int) -> Frame:
        """The frame in which text that runs this way reads from left to right, line below line."""
        width, height = self.width, self.height
        if turn == UP:  # X' = height - Y, Y' = X
            return Frame(-self.b, self.a, -self.d, self.c, height - self.f, self.e, height, width)
        if turn == DOWN:  # X' = Y, Y' = width - X
            return Frame(self.b, -self.a, self.d, -self.c, self.f, width - self.e, height, width)
        if turn == OVER:
            return Frame(-self.a, -self.b, -self.c, -self.d, width - self.e, height - self.f, width, height)
        return self


def shown_again(box: Box, turn: int, page: Frame) -> Box:
    """A box of a turned frame, back on the page as it is shown."""
    x0, top, x1, bottom = box
    if turn == UP:
        return top, page.height - x1, bottom, page.height - x0
    if turn == DOWN:
        return page.width - bottom, x0, page.width - top, x1
    if turn == OVER:
        return page.width - x1, page.height - bottom, page.width - x0, page.height - top
    return box


def page_frame(page: Any) -> Frame:
    """From a page's own coordinates (y upwards, before it is turned) to what a viewer shows."""
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
    """The smallest box around all; there must be one."""
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return min(x0), min(top), max(x1), max(bottom)


def centre_in(inner: Box, outer: Box, slack: float = 0.0) -> bool:
    """Whether the middle of one box lies in the other, which may be wider by ``slack`` on all sides."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - slack <= x <= outer[2] + slack and outer[1] - slack <= y <= outer[3] + slack


def across(one: Box, other: Box) -> float:
    """How far two boxes share the same x; negative is the gap between them."""
    return min(one[2], other[2]) - max(one[0], other[0])


def along(one: Box, other: Box) -> float:
    """How far two boxes share the same y; negative is the gap between them."""
    return min(one[3], other[3]) - max(one[1], other[1])


def area(box: Box) -> float:
    """In square points."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)
