"""The order in which people read the shapes of a slide: from top to bottom and left to right, columns as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

_MOST_DEPTH = 30
_TOUCHING = 30_000
"""Overlap of two shapes that still counts as a gap, in EMU: less than a millimetre; ours."""


class Placed(NamedTuple):
    """A shape and the box it fills, in EMU."""

    left: int
    top: int
    right: int
    bottom: int
    shape: Any


def in_reading_order(shapes: Sequence[Any]) -> list[Any]:
    """The shapes of a slide or group; those without a place come last, as they stand in the file."""
    placed: list[Placed] = []
    others: list[Any] = []
    for shape in shapes:
        left, top, width, height = shape.left, shape.top, shape.width, shape.height
        if None in (left, top, width, height):
            others.append(shape)
        else:
            placed.append(Placed(left, top, left + width, top + height, shape))
    return [one.shape for one in _ordered(placed, 0)] + others


def _ordered(placed: list[Placed], depth: int) -> list[Placed]:
    """Divide at the widest gap that runs through, across or down; what cannot be divided is read by its corners."""
    if len(placed) < 2:
        return placed
    rows = _divided(placed, 1, 3)
    columns = _divided(placed, 0, 2)
    parts = rows[1] if rows[0] >= columns[0] else columns[1]
    if len(parts) < 2 or depth > _MOST_DEPTH:
        return sorted(placed, key=lambda one: (one.top, one.left))
    return [one for part in parts for one in _ordered(part, depth + 1)]


def _divided(placed: list[Placed], start: int, end: int) -> tuple[int, list[list[Placed]]]:
    """The widest gap along one direction, and what lies before and after it."""
    in_order = sorted(placed, key=lambda one: (one[start], one[end]))
    widest, at = -1, 0
    reached = in_order[0][end]
    for number, one in enumerate(in_order[1:], start=1):
        gap = one[start] - reached + _TOUCHING
        if gap > max(widest, 0):
            widest, at = gap, number
        reached = max(reached, one[end])
    return (widest, [in_order[:at], in_order[at:]]) if at else (-1, [in_order])
