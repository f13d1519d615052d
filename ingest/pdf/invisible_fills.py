"""Detect invisible fills: shapes painted over the same colour.

Off: tables on 10 of 425 pages of ICDAR files, filings and others get worse, and none gets better.
"""

from __future__ import annotations

import ctypes
from collections import deque
from typing import Any

import pypdfium2.raw as pdfium

from backtrail.ingest.pdf.geometry import Box

_WHITE = (255, 255, 255)
_REMEMBERED = 64  # last fills: a cell is painted shortly before the lines in it; with 1, 11 of 416 pages differ
_SLACK = 0.6  # points; with 0, 23 of 416 pages differ

Colour = tuple[int, int, int]


class Fills:
    """The last fills of a page in painting order."""

    def __init__(self) -> None:
        self._last: deque[tuple[Box, Colour]] = deque(maxlen=_REMEMBERED)

    def is_seen(self, path: Any, box: Box) -> bool:
        """Whether a path is stroked, or filled with another colour than white or the fill below it.

        Args:
            path: a path of the page; call once per path, in painting order.
            box: its box.
        """
        fill, stroke = draw_mode(path)
        if stroke:
            return True
        if not fill:
            return False
        colour = _colour(path)
        if colour is None:
            return True
        below = next((one for one in reversed(self._last) if _meets(one[0], box)), None)
        self._last.append((box, colour))
        if below is not None and below[1] == colour and _holds(below[0], box):
            return False
        return colour != _WHITE


def draw_mode(path: Any) -> tuple[bool, bool]:
    """Return whether a path is filled, and whether it is stroked."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    return bool(fill.value), bool(stroke.value)


def _colour(path: Any) -> Colour | None:
    """Return the fill colour: white if transparent; None if it has none of its own."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return None
    return (red.value, green.value, blue.value) if alpha.value else _WHITE


def _meets(one: Box, other: Box) -> bool:
    """Whether two boxes overlap in more than their edges."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > _SLACK and min(one[3], other[3]) - max(one[1], other[1]) > _SLACK


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer[0] <= inner[0] + _SLACK
        and outer[1] <= inner[1] + _SLACK
        and inner[2] <= outer[2] + _SLACK
        and inner[3] <= outer[3] + _SLACK
    )
