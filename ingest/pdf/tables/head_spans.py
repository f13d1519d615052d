"""Divide the columns of a table of figures between the heads of one line.

Heads are placed from the lowest line up. A head belongs to the columns, or to the head below it, in whose middle it is:
one column, or several if these have names below it, or if no other head reaches them. All heads of a line are placed
together, in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backtrail.ingest.pdf.tables.row_cells import RowCell

Span = tuple[int, int]
"""Columns of a head: the first one, and the one after the last."""

_FEW = 16  # spans considered for each head
_WIDEST = 16  # columns of a span without an underline

# Costs, of the font size, beside the distance of the middles of a head and its columns.
# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 3: 1 page.
_NARROW = 1.5  # the head does not reach the outer ones of its columns
_SKIPPED = 0.25  # columns without a head between heads
# At 1: 1 page, pairs -7 right, -7 found; at 4: 1 page.
_LOST = 2.0  # a column that gets no name, or two heads of a line


@dataclass(frozen=True, slots=True)
class Column:
    """A column of figures: from its leftmost sign of currency to its right edge."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """Its middle."""
        return (self.x0 + self.x1) / 2


@dataclass
class Below:
    """The columns below a line of heads, as wide as the heads of single columns, and what the lines below name them.

    ``own``: the columns that a head of any line reaches alone; ``lost``: others without a name so far; ``heads``: the
    last head of each span of columns.
    """

    columns: list[Column]
    own: set[int]
    names: list[str] = field(init=False)
    lost: set[int] = field(init=False)
    heads: dict[Span, RowCell] = field(default_factory=dict[Span, RowCell])

    def __post_init__(self) -> None:
        """Begin without names."""
        self.names = [""] * len(self.columns)
        self.lost = set(range(len(self.columns))) - self.own

    def reached(self, cell: RowCell) -> list[int]:
        """Return the columns that a head reaches."""
        return [number for number, one in enumerate(self.columns) if cell.x0 < one.x1 and one.x0 < cell.x1]

    def add(self, cell: RowCell, span: Span) -> None:
        """Put a head above its columns."""
        for number in range(*span):
            self.names[number] = f"{cell.text} {self.names[number]}".strip()
        self.heads[span] = cell
        self.lost.difference_update(range(*span))
        if span[1] - span[0] == 1:
            old = self.columns[span[0]]
            self.columns[span[0]] = Column(min(old.x0, cell.x0), max(old.x1, cell.x1))


def own_columns(lines: Sequence[Sequence[RowCell]], columns: Sequence[Column]) -> set[int]:
    """Return the columns that a head reaches alone, or is nearest to."""
    own: set[int] = set()
    below = Below(list(columns), own)
    for cell in (cell for line in lines for cell in line):
        reached = below.reached(cell)
        if len(reached) < 2:
            own.add(min(reached or range(len(columns)), key=lambda n: abs(columns[n].middle - cell.middle)))
    return own


def head_spans(cells: Sequence[RowCell], underlined: Sequence[Span | None], below: Below, size: float) -> list[Span]:
    """Return the columns of each head of a line.

    Args:
        cells: the heads, from the left.
        underlined: the columns above the underline of each, where there is one.
        below: columns and their names so far.
        size: the font size.
    """
    groups = _repeated(below.names)
    if None in underlined and len(groups) == len(cells) > 1 and _are_groups(cells, groups, below.columns, size):
        return groups
    paths: dict[Span, tuple[float, list[Span]]] = {(0, 0): (0.0, [])}
    for cell, known in zip(cells, underlined, strict=True):
        reached = below.reached(cell)
        possible = [known] if known is not None else spans(below.columns, cell)
        costs = {span: _cost(cell, span, reached, below, size) for span in possible}
        likely = sorted(costs, key=costs.__getitem__)[:_FEW]
        paths = {
            span: min((cost + costs[span] + _step(last, span, below, size), [*path, span])
                      for last, (cost, path) in paths.items())
            for span in likely
        }  # fmt: skip
    end = len(below.columns)
    return min((cost + _step(last, (end, end), below, size), path) for last, (cost, path) in paths.items())[1]


def _repeated(names: Sequence[str]) -> list[Span]:
    """Return groups of columns with the same names in each: "2024, 2023, 2024, 2023", perhaps with others after."""
    starts = [number for number, name in enumerate(names) if name == names[0] != ""]
    width = starts[1] - starts[0] if len(starts) > 1 else 0
    groups = [(start, start + width) for start in starts]
    return groups if width > 1 and all(names[start:end] == names[:width] for start, end in groups) else []


def _are_groups(cells: Sequence[RowCell], groups: Sequence[Span], columns: Sequence[Column], size: float) -> bool:
    """Whether each head is above its group, and they differ: equal ones are lines of the names of columns."""
    zones = [Column(columns[start].x0 - size, columns[end - 1].x1 + size) for start, end in groups]
    over = all(zone.x0 <= cell.x0 and cell.x1 <= zone.x1 for cell, zone in zip(cells, zones, strict=True))
    return over and len({cell.text for cell in cells}) > 1


def spans(columns: Sequence[Column], cell: RowCell) -> Iterator[Span]:
    """Return the spans of columns near a head that are not too wide: the time for hundreds of columns stays bounded."""
    nearest = min(range(len(columns)), key=lambda number: abs(columns[number].middle - cell.middle))
    starts = range(max(0, nearest - _WIDEST), min(len(columns), nearest + _WIDEST))
    return ((start, end) for start in starts for end in range(start + 1, min(start + _WIDEST, len(columns)) + 1))


def offset(cell: RowCell, columns: Sequence[Column], span: Span) -> float:
    """Return the distance of the middles of a head and its columns."""
    return abs((columns[span[0]].x0 + columns[span[1] - 1].x1) / 2 - cell.middle)


def _cost(cell: RowCell, span: Span, reached: Sequence[int], below: Below, size: float) -> float:
    off = offset(cell, below.columns, span)
    inside = range(*span)
    over = [below.columns[number] for number in inside]
    if reached == [*inside] and (len(over) == 1 or all(cell.x1 - cell.x0 > one.x1 - one.x0 for one in over)):
        off = min(off, abs(over[0].x0 - cell.x0), abs(over[-1].x1 - cell.x1))
    if span in below.heads:
        off = min(off, abs(below.heads[span].middle - cell.middle))
    if len(inside) == 1 or span in below.heads:
        return off
    narrow = not below.lost.union(reached).issuperset((inside[0], inside[-1]))
    return off + size * _NARROW * narrow


def _step(last: Span, span: Span, below: Below, size: float) -> float:
    """Return the cost of the columns without a head between two heads."""
    if span[0] < last[1]:
        return size * (_LOST if span == last else 100)
    between = range(last[1], span[0])
    lost = len(below.lost.intersection(between))
    return size * (_SKIPPED * any(below.names[number] for number in between) + _LOST * lost)
