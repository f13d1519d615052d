"""Cut a row of a table of figures into cells: a sign of currency or percent belongs to its figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from backtrail.ingest.pdf.fragments import MARK_SIZE, Fragment, Row, joined
from backtrail.ingest.pdf.gutters import pieces
from backtrail.ingest.pdf.tables.grid import is_number
from backtrail.ingest.sheets.cell_kinds import are_periods, is_date, is_missing

_GUTTER = 0.5  # of the font size
_CURRENCY = re.compile(r"[$€£¥]")
_BEFORE = re.compile(r"[~≈]?\s?[$€£¥(]{0,2}")
_AFTER = re.compile(r"[)%]{1,2}|pts?\.?|bps|x")
_LEADER = re.compile(r"\.{1,2}|\.{4,}")  # three dots mark a missing figure
_NOTE = re.compile(r"(?:\^?\(\w{1,2}\))+")
_AFTER_GAP = 2.0  # maximum gap before a sign that follows its figure, of the font size
_WORDS = 6  # maximum of cells of a row, for each of its figures: more are words of a justified line
_UNKNOWN = frozenset({"nm", "n.m.", "*", "**"})  # "not meaningful"
_YEAR = re.compile(r"(?:FY\s?|\d{1,2},\s?)?(?:19|20)\d\d(?:\s?[A-Z])?(?:\W{0,3}\w?\W{0,2})|\d{1,2}/\d{2}(?:\d\d)?")
_CODE = re.compile(
    r"\d+-[A-Z]{1,2}|\d{1,3}-\d{3,}|\d+[/.-]\d+[/.-]\d+|\d{1,2}/\d{2}(?:\d\d)?|\d{1,2}\s?[-–]\s?\d{1,2}|\+\d.*|"
    r"\d{1,2}(?:st|nd|rd|th)|\(?\d+% CI\)?|[^(]+\)"
)  # 10-K; 001-35727; 4/17/2020; 12/18; 3-5; +61 448; 4th; (95% CI); 3)
_MEASURE = re.compile(r"\d+\.\d+ [a-z]+")  # 8.9 years
_COUNTED = re.compile(r"\(?\d{1,4}\)?")  # 737; (1)
_LEADING = re.compile(r"[(\-−–]?\d{1,3}")
_HUNDREDS = re.compile(r"\d{3}(?:[.,]\d+)?\)?")


@dataclass(slots=True)
class RowCell:
    """Fragments of one cell; ``left`` is where its figure begins, without the sign before it."""

    fragments: tuple[Fragment, ...]
    left: float
    text: str = field(init=False)
    x0: float = field(init=False)
    x1: float = field(init=False)

    def __post_init__(self) -> None:
        """Compute the text and the edges, which are asked for often."""
        self.text = joined(self.fragments)
        self.x0, self.x1 = self.fragments[0].box[0], max(fragment.box[2] for fragment in self.fragments)

    @property
    def middle(self) -> float:
        """Its middle."""
        return (self.x0 + self.x1) / 2

    @property
    def is_value(self) -> bool:
        """Whether the cell is a figure or the mark of a missing one."""
        return is_value(self.text)

    @property
    def is_period(self) -> bool:
        """Whether the cell is a year or a date."""
        return is_period(self.text)


@lru_cache(maxsize=8192)
def is_value(text: str) -> bool:
    """Whether a text is a figure or the mark of a missing one; codes and dates are none."""
    bare = text.strip("$€£¥% ")
    if is_missing(bare) or bare.casefold() in _UNKNOWN:
        return True
    return bool(_MEASURE.fullmatch(text)) or (is_number(text) and not _CODE.fullmatch(text))


@lru_cache(maxsize=8192)
def is_period(text: str) -> bool:
    """Whether a text is a year or a date."""
    return is_date(text) or bool(_YEAR.fullmatch(text))


def row_cells(row: Row) -> list[RowCell]:
    """Cut a row into cells from left to right."""
    whole = [fragment for fragment in row.fragments if not _LEADER.fullmatch(fragment.text)] or row.fragments
    row = Row([part for fragment in whole for part in _signs_apart(fragment)], row.base, row.size)
    parts = [part for piece in pieces(row, _GUTTER) for part in _figures(piece.fragments)]
    cells: list[RowCell] = []
    held: list[Fragment] = []
    for part in parts:
        text = joined(part)
        if _BEFORE.fullmatch(text):
            if held and part[0].box[0] - held[-1].box[2] > row.size:
                cells.append(RowCell(tuple(held), held[0].box[0]))  # its figure is set lower
                held = []
            held += part
        elif held and text == "%":
            cells += [RowCell(tuple(held), held[0].box[0]), RowCell(part, part[0].box[0])]  # names: $ and %
            held = []
        elif cells and not held and _belongs(cells[-1], part, row.size, first=len(cells) == 1):
            cells[-1] = RowCell((*cells[-1].fragments, *part), cells[-1].left)
        else:
            cells.append(RowCell((*held, *part), part[0].box[0]))
            held = []
    return [*cells, RowCell(tuple(held), held[0].box[0])] if held else cells


def _signs_apart(fragment: Fragment) -> list[Fragment]:
    """Part the sign of the next figure from a figure: "34%$"."""
    figure, (x0, top, x1, bottom) = fragment.text[:-1], fragment.box
    if not (_CURRENCY.fullmatch(fragment.text[-1:]) and is_value(figure)):
        return [fragment]
    edge = x1 - (x1 - x0) / len(fragment.text)
    sign = replace(fragment, text=fragment.text[-1], box=(edge, top, x1, bottom))
    return [replace(fragment, text=figure, box=(x0, top, edge, bottom)), sign]


def _belongs(cell: RowCell, part: Sequence[Fragment], size: float, *, first: bool) -> bool:
    """Whether a part is the sign after a figure, or a mark that refers from a figure or the first cell to a note."""
    gap, text = part[0].box[0] - cell.x1, joined(part)
    mark = part[0].size < MARK_SIZE * size or (gap <= size and (first or cell.is_period))
    if _NOTE.fullmatch(text):
        return mark and (first or cell.is_value)
    return cell.is_value and bool(_AFTER.fullmatch(text)) and gap <= _AFTER_GAP * size


def _figures(fragments: Sequence[Fragment]) -> list[tuple[Fragment, ...]]:
    """Divide a piece that is nothing but figures and signs into one part per figure or sign; part a last sign off."""
    if len(fragments) > 1 and _CURRENCY.fullmatch(fragments[-1].text):
        return [*_figures(fragments[:-1]), (fragments[-1],)]
    if not all(is_value(one.text) or _BEFORE.fullmatch(one.text) or _AFTER.fullmatch(one.text) for one in fragments):
        return [tuple(fragments)]
    parts = [[fragments[0]]]
    for before, after in pairwise(fragments):
        grouped = _LEADING.fullmatch(before.text) and _HUNDREDS.fullmatch(after.text)  # 12 345
        if grouped or before.text.endswith(",") or after.box[0] - before.box[2] <= 0.1 * after.size:
            parts[-1].append(after)
        else:
            parts.append([after])
    return [tuple(part) for part in parts]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the page, cut into cells; ``number`` and ``end`` are its place among the rows of the page."""

    number: int
    end: int
    row: Row
    cells: tuple[RowCell, ...]

    @property
    def size(self) -> float:
        """The font size."""
        return self.row.size

    @property
    def is_periods(self) -> bool:
        """Whether its figures are years or dates: names of columns."""
        values = [cell for cell in self.cells if cell.is_value or cell.is_period]
        counted = len(values) == len(self.cells) and are_periods([cell.text for cell in values])
        return bool(values) and (counted or all(cell.is_period for cell in values))

    @property
    def has_figures(self) -> bool:
        """Whether it has figures that are not names of columns, beside a label or one another."""
        values = sum(cell.is_value for cell in self.cells[1:])
        return not self.is_periods and values > 0 and len(self.cells) - 1 <= _WORDS * values

    def names(self, below: Line) -> bool:
        """Whether it names columns of the next line: its words are above figures, and its own are as "737"."""
        words = [cell for cell in self.cells if not cell.is_value]
        figures = [cell for cell in below.cells if cell.is_value] if below.has_figures else []
        over = any(cell.x0 < one.x1 and one.left < cell.x1 for cell in words for one in figures)
        return over and all(_COUNTED.fullmatch(cell.text) for cell in self.cells if cell.is_value)
