"""Charts of a page: bars of different lengths from one line, or curves beside a scale of numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from backtrail.ingest.pdf.drawings import Shape, is_thin
from backtrail.ingest.pdf.figures import PROSE, Figure, labels_of, near_each_other
from backtrail.ingest.pdf.fragments import Fragment
from backtrail.ingest.pdf.geometry import Box, Frame, across, along, centre_in, union
from backtrail.ingest.pdf.gutters import Piece
from backtrail.ingest.pdf.tables.grid import is_number

# Figures: pages of 31 with charts, in 190 papers, that change.
_MIN_BARS = 3  # of a chart, and minimum of different lengths; at 2: 5, and 5 of 424 pages of filings; at 6: 2
_MIN_NUMBERS = 3  # labels of a chart, and numbers of a scale; at 2 or 6: 6
_EVEN = 0.08  # of the step of a scale: maximum deviation of its numbers and of their distances; at 0.16: 1
_BESIDE = 12.0  # points: maximum distance of a scale from its chart; at 0: 19; at 24: 1
_SAME = 1.1  # maximum ratio of the thickness of two bars; at 1.02: 2
_KEY = (40.0, 16.0)  # points: maximum size of a sample in a legend; off: 3 of 23 pages with charts lose names
_LEGEND = 24.0  # points: maximum distance of a legend from its chart; at 0 or 48: 1
_OVERLAY = 2.0  # points: fill and outline of a bar differ less; at 0: 1; at 4: 2
_PITCH = 4.0  # of a bar's thickness: maximum distance of the next bar; at 2: 3; off: 6 of 445 pages of filings


def chart_figures(
    shapes: Sequence[Shape], frame: Frame, parts: Sequence[Piece], captions: Sequence[Box]
) -> list[Figure]:
    """Return the charts of a page with their labels.

    Args:
        shapes: all shapes of the page.
        frame: the page.
        parts: its rows, divided at wide gaps.
        captions: boxes of lines that begin like the caption of a figure.
    """
    if all(is_thin(shape.box) for shape in shapes):
        return []
    prose = [one.box for one in parts if one.letters >= PROSE]
    fragments = [fragment for one in parts for fragment in one.fragments]
    numbers = [fragment for fragment in fragments if is_number(fragment.text)]
    words = [fragment for fragment in fragments if not is_number(fragment.text)]
    drawn = [shape for shape in shapes if is_thin(shape.box) or not _is_behind(shape.box, prose)]
    groups = list(_joined_by_bars(near_each_other(drawn, frame), words))
    boxes = [union(shape.box for shape in group) for group in groups]
    figures: list[Figure] = []
    for group, box in zip(groups, boxes, strict=True):
        if _is_chart(group, box, numbers, words):
            keys = [one for one in boxes if _is_key(one, box)]
            around = labels_of(union([box, *keys]), parts, captions)
            figures.append(Figure(union([box, *keys, *(one.box for one in around)]), labels=around))
    return figures


def _is_key(box: Box, chart: Box) -> bool:
    """Whether a drawing is a sample of a colour or line in the legend of a chart."""
    small = not is_thin(box) and box[2] - box[0] <= _KEY[0] and box[3] - box[1] <= _KEY[1]
    return small and min(across(box, chart), along(box, chart)) > -_LEGEND


def _is_behind(box: Box, prose: Sequence[Box]) -> bool:
    """Whether a shape is a frame or band around running text."""
    return any(centre_in(line, box) for line in prose)


def _joined_by_bars(groups: Sequence[list[Shape]], words: Sequence[Fragment]) -> Iterator[list[Shape]]:
    """Yield groups of shapes; those that are nothing but neighbouring bars of one chart as one group."""
    single = [group for group in groups if len(group) == 1]
    joined: set[int] = set()
    for bars, lengths in _bars([group[0] for group in single], words):
        if lengths >= _MIN_BARS and not any(id(bar) in joined for bar in bars):
            joined.update(map(id, bars))
            yield bars
    for group in groups:
        if not any(id(shape) in joined for shape in group):
            yield group


def _is_chart(group: Sequence[Shape], box: Box, numbers: Sequence[Fragment], words: Sequence[Fragment]) -> bool:
    near = [one for one in numbers if across(one.box, box) > -_BESIDE and along(one.box, box) > -_BESIDE]
    lengths = max((lengths for _, lengths in _bars(group, words)), default=0)
    if lengths >= (_MIN_BARS if len(near) >= _MIN_NUMBERS else 2 * _MIN_BARS):
        return True
    return (lengths > 1 or any(shape.curved for shape in group)) and _has_scale(near, box)


def _bars(shapes: Sequence[Shape], words: Sequence[Fragment]) -> Iterator[tuple[list[Shape], int]]:
    """Yield boxes without words, equally thick and close together from one line, and how many lengths they have."""
    lines: defaultdict[tuple[int, int], list[Shape]] = defaultdict(list)
    for shape in shapes:
        if not shape.curved and not is_thin(shape.box):
            for way in (0, 1):
                for end in (shape.box[1 - way], shape.box[3 - way]):
                    lines[way, round(end)].append(shape)
    for (way, _), found in lines.items():
        for bars in _equally_thick(found, way):
            lengths = _lengths(bars, way)
            apart = lengths > 1 and all(_are_neighbors(one, after, way) for one, after in pairwise(bars))
            if apart and not any(centre_in(word.box, bar.box) for word in words for bar in bars):
                yield bars, lengths


def _are_neighbors(one: Shape, after: Shape, way: int) -> bool:
    """Whether a bar follows another closely, or is drawn over it; cells on both sides of a line do neither."""
    step, thickness = after.box[way] - one.box[way], _thickness(one, way)
    again = max(abs(new - old) for new, old in zip(after.box, one.box, strict=True)) <= _OVERLAY
    return again or thickness - _OVERLAY <= step <= _PITCH * thickness


def _thickness(shape: Shape, way: int) -> float:
    return shape.box[way + 2] - shape.box[way]


def _equally_thick(shapes: Sequence[Shape], way: int) -> Iterator[list[Shape]]:
    """Yield groups of at least three shapes, each in the order of their places."""
    group: list[Shape] = []
    for shape in sorted(dict.fromkeys(shapes), key=lambda shape: _thickness(shape, way)):
        if group and _thickness(shape, way) > _SAME * _thickness(group[0], way):
            if len(group) >= _MIN_BARS:
                yield sorted(group, key=lambda one: one.box[way])
            group = []
        group.append(shape)
    if len(group) >= _MIN_BARS:
        yield sorted(group, key=lambda one: one.box[way])


def _lengths(bars: Sequence[Shape], way: int) -> int:
    """Return the number of different lengths; 0 if most are repeated, as those of shaded cells are."""
    lengths = {round(_thickness(bar, 1 - way)) for bar in bars}
    return len(lengths) if 2 * len(lengths) > len(bars) else 0


def _has_scale(numbers: Sequence[Fragment], box: Box) -> bool:
    """Whether at least three numbers increase evenly along at least half of a side."""
    lines: defaultdict[tuple[int, int, int], list[Fragment]] = defaultdict(list)
    for one in numbers:
        x0, _, x1, _ = one.box
        for column, edge in enumerate((x0, x1, (x0 + x1) / 2)):
            lines[1, column, round(edge / 2)].append(one)
        lines[0, 0, round(one.base / 2)].append(one)
    return any(_is_even(line, box, way) for (way, *_), line in lines.items() if len(line) >= _MIN_NUMBERS)


def _is_even(line: Sequence[Fragment], box: Box, way: int) -> bool:
    """Whether numbers that are no years or numbers of a list increase evenly, from left to right or upwards."""
    places = sorted(((one.box[way] + one.box[way + 2]) / 2, _value(one.text)) for one in line)
    gaps = [(after[0] - one[0], after[1] - one[1]) for one, after in pairwise(places)]
    step, rise = (sum(gap[number] for gap in gaps) / len(gaps) for number in (0, 1))
    values = [value for _, value in places]
    if not rise or 2 * (places[-1][0] - places[0][0]) < box[way + 2] - box[way] or 1900 <= min(values) <= 2100:
        return False
    even = all(abs(place - step) <= _EVEN * step and abs(value - rise) <= _EVEN * abs(rise) for place, value in gaps)
    return even and (way == 0 or values[0] > values[-1])


def _value(text: str) -> float:
    digits = re.sub(r"[^\d.]", "", text)
    value = float(digits if digits.count(".") < 2 and digits.strip(".") else f"0{digits.replace('.', '')}")
    return -value if text[0] in "-−–(" else value
