"""Rules, shapes and embedded pictures of a page."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pypdfium2.raw as pdfium

from backtrail.ingest.pdf.geometry import Box, Frame, area
from backtrail.ingest.pdf.invisible_fills import Fills, draw_mode

MAX_OBJECTS = 50_000
"""Drawing objects of one page above which only its text is read: maps and plots take minutes to analyse."""

_MAX_DEPTH = 8  # forms within forms
_THIN = 2.5  # points: a shape that is thinner is a rule
_SHORT = 3.0  # points: shorter lines are not rules
_MAX_SEGMENTS = 400  # analysed segments of one path

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line along an axis: ``at`` is its y (or x, when upright), from ``start`` to ``end``.

    ``edge``: it is not drawn itself, but bounds a fill."""

    upright: bool
    at: float
    start: float
    end: float
    edge: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """The box of a drawn path; ``curved`` if it has other lines than horizontal and vertical ones."""

    box: Box
    curved: bool


@dataclass(frozen=True, slots=True)
class Raster:
    """An embedded picture: its box and its size in pixels."""

    box: Box
    width: int
    height: int


@dataclass
class Drawing:
    """All drawings of a page."""

    rules: list[Rule] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    rasters: list[Raster] = field(default_factory=list)

    @property
    def only_rules(self) -> bool:
        """Whether nothing but thin lines is drawn, if anything is."""
        return not self.rasters and all(is_thin(shape.box) for shape in self.shapes)


def count_objects(page: Any, limit: int) -> int:
    """Count the objects of a page, within forms too; counting stops above the limit."""
    count = 0
    for count, _ in enumerate(_objects(page), start=1):
        if count > limit:
            break
    return count


def read_drawing(page: Any, frame: Frame) -> Drawing:
    """Return rules, shapes and pictures in the frame's coordinates, clipped to the page."""
    drawing, fills = Drawing(), Fills()
    whole = (0.0, 0.0, frame.width, frame.height)
    for drawn, matrix in _objects(page):
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind not in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
            continue
        box = _clipped(_bounds(drawn, matrix, frame), whole)
        if box is None:
            continue
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            width, height = ctypes.c_uint(), ctypes.c_uint()
            pdfium.FPDFImageObj_GetImagePixelSize(drawn, width, height)
            drawing.rasters.append(Raster(box, width.value, height.value))
        elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
            drawing.shapes.append(Shape(box, curved=True))
        elif fills.is_seen(drawn, box) and area(box) < 0.9 * area(whole):
            _add_path(drawn, matrix, box, frame, drawing)
    return drawing


def _objects(page: Any) -> Iterator[tuple[Any, Matrix]]:
    """Yield all objects except forms, each with the matrix of the forms around it."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        yield from _within(pdfium.FPDFPage_GetObject(page, index), _SAME, 0)


def _within(drawn: Any, matrix: Matrix, depth: int) -> Iterator[tuple[Any, Matrix]]:
    if not drawn:
        return
    if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_FORM:
        yield drawn, matrix
    elif depth < _MAX_DEPTH:
        inner = _times(_matrix(drawn), matrix)
        for index in range(max(pdfium.FPDFFormObj_CountObjects(drawn), 0)):
            yield from _within(pdfium.FPDFFormObj_GetObject(drawn, index), inner, depth + 1)


def _matrix(drawn: Any) -> Matrix:
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(drawn, found):
        return _SAME
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(one: Matrix, two: Matrix) -> Matrix:
    """Compose two maps: first ``one``, then ``two``."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _bounds(drawn: Any, matrix: Matrix, frame: Frame) -> Box:
    left, low, right, high = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(drawn, left, low, right, high)
    if matrix == _SAME:
        return frame.box(left.value, low.value, right.value, high.value)
    corners = [frame.point(*_apply(matrix, x, y)) for x in (left.value, right.value) for y in (low.value, high.value)]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _clipped(box: Box, whole: Box) -> Box | None:
    x0, top, x1, bottom = max(box[0], 0.0), max(box[1], 0.0), min(box[2], whole[2]), min(box[3], whole[3])
    return (x0, top, x1, bottom) if x1 >= x0 and bottom >= top else None  # False also if a number is not finite


def is_thin(box: Box) -> bool:
    """Whether a shape is a rule."""
    return min(box[2] - box[0], box[3] - box[1]) <= _THIN


def _add_path(path: Any, matrix: Matrix, box: Box, frame: Frame, drawing: Drawing) -> None:
    x0, top, x1, bottom = box
    if is_thin(box):
        upright = bottom - top > x1 - x0
        rule = Rule(True, (x0 + x1) / 2, top, bottom) if upright else Rule(False, (top + bottom) / 2, x0, x1)
        if rule.end - rule.start >= _SHORT:
            drawing.rules.append(rule)
        drawing.shapes.append(Shape(box, curved=False))
        return
    rules, curved = _segments(path, _times(_matrix(path), matrix), frame)
    if not curved:
        drawing.rules.extend(rules if draw_mode(path)[1] else [replace(rule, edge=True) for rule in rules])
    drawing.shapes.append(Shape(box, curved))


def _segments(path: Any, matrix: Matrix, frame: Frame) -> tuple[list[Rule], bool]:
    """Return the horizontal and vertical lines of a path, and whether it has others."""
    rules: list[Rule] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    start = last = None
    for index in range(min(pdfium.FPDFPath_CountSegments(path), _MAX_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
            return [], True
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = frame.point(*_apply(matrix, x.value, y.value))
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        elif last is not None and not _add_line(last, point, rules):
            return [], True
        if pdfium.FPDFPathSegment_GetClose(segment) and start is not None and not _add_line(point, start, rules):
            return [], True
        last = point
    return rules, False


def _add_line(one: tuple[float, float], two: tuple[float, float], rules: list[Rule]) -> bool:
    """Add a horizontal or vertical line; return False for others."""
    (x0, y0), (x1, y1) = one, two
    if abs(y0 - y1) <= 1.0:
        if abs(x0 - x1) >= _SHORT:
            rules.append(Rule(False, (y0 + y1) / 2, min(x0, x1), max(x0, x1)))
    elif abs(x0 - x1) <= 1.0:
        if abs(y0 - y1) >= _SHORT:
            rules.append(Rule(True, (x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    else:
        return False
    return True
