"""Figures of a page: embedded pictures, and drawings made of shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from backtrail.ingest.pdf.drawings import Raster, Shape
from backtrail.ingest.pdf.fragments import Fragment, read_rows
from backtrail.ingest.pdf.geometry import Box, Frame, across, along, area, centre_in, union
from backtrail.ingest.pdf.gutters import Piece

MIN_PIXELS = 32
"""Smaller embedded pictures are bullets, rules and logos."""

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 12: 1 page.
_MIN_SIDE = 24.0  # points: smaller drawings are icons
_MIN_SHAPES = 4  # of a drawing without a caption
# At 3: 3 pages; at 12: 4 pages, pairs +5 right, +5 found.
_CELL = 6.0  # points: nearer shapes are grouped
_MAX_CELLS = 60_000
# At 18: 2 pages, pairs +4 right, +4 found.
_LABEL_DISTANCE = 9.0  # points: nearer words are labels of a drawing
_LINE_GAP = 0.6  # of a line's height: maximum gap to the next line of a paragraph
# At 22: 4 pages, pairs +49 right, +68 found; at 90: 5 pages, pairs -45 right, -68 found.
PROSE = 45
"""Minimum of letters of a line of running text; labels are shorter."""


@dataclass
class Figure:
    """A figure: its box, its width in pixels (0 for drawings), the words in it, and its rendering."""

    box: Box
    pixels: int = 0
    labels: list[Fragment] = field(default_factory=list)
    png: bytes | None = None


def raster_figures(rasters: Sequence[Raster]) -> list[Figure]:
    """Return embedded pictures that are large enough; strips of one picture are joined."""
    # One of 190 papers has pictures of letters, narrower than 4 points.
    kept = [one for one in rasters if min(one.width, one.height) > 0 and one.box[2] > one.box[0] + 4]
    groups: list[list[Raster]] = []
    for one in sorted(kept, key=lambda raster: (raster.box[1], raster.box[0])):
        group = next((group for group in groups[-40:] if _is_strip_of(union([r.box for r in group]), one.box)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    figures = []
    for group in groups:
        box = union([one.box for one in group])
        pixels = max(one.width for one in group)
        lines = sum(one.height for one in group)
        if min(pixels, lines) >= MIN_PIXELS:
            figures.append(Figure(box, pixels))
    return figures


def _is_strip_of(above: Box, box: Box) -> bool:
    """Whether a picture adjoins another below or beside it without a gap, equally wide or high."""
    same_width = abs(above[0] - box[0]) < 1 and abs(above[2] - box[2]) < 1 and abs(above[3] - box[1]) < 1
    same_height = abs(above[1] - box[1]) < 1 and abs(above[3] - box[3]) < 1 and abs(above[2] - box[0]) < 1
    return same_width or same_height


def drawn_figures(
    shapes: Sequence[Shape], frame: Frame, parts: Sequence[Piece], captions: Sequence[Box]
) -> list[Figure]:
    """Return drawings: groups of near shapes that are more than rules and frames around text.

    Args:
        shapes: shapes that are not part of a table.
        frame: the page.
        parts: its rows, divided at wide gaps; words within a drawing become its labels.
        captions: boxes of lines that begin like the caption of a figure.
    """
    figures = []
    for group in near_each_other(shapes, frame):
        box = union([shape.box for shape in group])
        captioned = any(_beside(caption, box) for caption in captions)
        if not _is_drawing(group, box, captioned):
            continue
        around = labels_of(box, parts, captions)
        if _is_text(around, box):
            continue
        whole = union([box, *(fragment.box for fragment in around)])
        figures.append(Figure(whole, labels=around))
    return figures


def near_each_other(shapes: Sequence[Shape], frame: Frame) -> list[list[Shape]]:
    """Group shapes by touching cells of a raster of the page."""
    if not shapes:
        return []
    cell = max(_CELL, (frame.width * frame.height / _MAX_CELLS) ** 0.5)
    rows, columns = int(frame.height / cell) + 2, int(frame.width / cell) + 2
    inked = np.zeros((rows, columns), dtype=bool)
    places = []
    for shape in shapes:
        x0, top, x1, bottom = (int(edge / cell) for edge in shape.box)
        inked[top : bottom + 1, x0 : x1 + 1] = True
        places.append((top, x0))
    numbers = _components(inked)
    groups: dict[int, list[Shape]] = {}
    for shape, (top, x0) in zip(shapes, places, strict=True):
        groups.setdefault(int(numbers[top, x0]), []).append(shape)
    return list(groups.values())


def _components(inked: np.ndarray) -> np.ndarray:
    """Number the groups of touching cells, diagonals included."""
    numbers = np.zeros(inked.shape, dtype=np.int32)
    count = 0
    for start in zip(*np.nonzero(inked), strict=True):
        if numbers[start]:
            continue
        count += 1
        numbers[start] = count
        waiting = [start]
        while waiting:
            row, column = waiting.pop()
            top, left = max(row - 1, 0), max(column - 1, 0)
            window = inked[top : row + 2, left : column + 2] & (numbers[top : row + 2, left : column + 2] == 0)
            for r, c in zip(*np.nonzero(window), strict=True):
                numbers[top + r, left + c] = count
                waiting.append((top + r, left + c))
    return numbers


def _is_drawing(group: Sequence[Shape], box: Box, captioned: bool) -> bool:
    if box[2] - box[0] < _MIN_SIDE or box[3] - box[1] < _MIN_SIDE:
        return False
    if captioned:
        return len(group) >= 2
    return len(group) >= _MIN_SHAPES and sum(shape.curved for shape in group) >= 2


def _beside(caption: Box, box: Box) -> bool:
    return across(caption, box) > 0 and -along(caption, box) <= 40.0


def labels_of(box: Box, parts: Sequence[Piece], captions: Sequence[Box]) -> list[Fragment]:
    """Return the words in a drawing, and short lines beside it and beside these.

    Args:
        box: the drawing.
        parts: rows of the page, divided at wide gaps.
        captions: boxes of lines that begin like the caption of a figure.
    """
    free = [one for one in parts if not any(centre_in(one.box, caption, 1.0) for caption in captions)]
    inside = [fragment for one in free for fragment in one.fragments if centre_in(fragment.box, box)]
    taken = {id(fragment) for fragment in inside}
    prose = [one.box for one in parts if one.letters >= PROSE]
    short = [one for one in free if one.letters < PROSE and not any(_is_next_line(one.box, line) for line in prose)]
    for _ in range(2):
        whole = union([box, *(fragment.box for fragment in inside)])
        near = [one for one in short if min(across(one.box, whole), along(one.box, whole)) > -_LABEL_DISTANCE]
        inside += [f for one in near for f in one.fragments if id(f) not in taken]
        taken.update(id(fragment) for fragment in inside)
    return inside


def _is_next_line(box: Box, above: Box) -> bool:
    """Whether a line is directly below another and begins with it: the last one of a paragraph."""
    height = above[3] - above[1]
    return abs(box[0] - above[0]) <= height and abs(box[1] - above[3]) <= _LINE_GAP * height


def _is_text(fragments: Sequence[Fragment], box: Box) -> bool:
    """Whether the words in a frame are running text."""
    if not fragments:
        return False
    rows = read_rows(fragments)
    lengths = [sum(len(fragment.text) for fragment in row.fragments) for row in rows]
    covered = sum(area(fragment.box) for fragment in fragments)
    return sum(length >= PROSE for length in lengths) >= 2 or covered > 0.4 * area(box)
