"""A table as it is looked up in: its own column names, the lines of its body, and what stands over all of it.

Header rows that were joined share parts that say nothing of a column; a row with one cell alone heads those below it;
columns that come again ("Rank | Name | Rank | Name") are two tables side by side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest

from backtrail.rules.reader.lookup.marks import marked_apart
from backtrail.state.answer_decisions import EvidenceText

# More rows of a table, or cells of a row, are not looked at.
MOST_ROWS, MOST_COLUMNS = 5_000, 60
_JOINT = " / "
# Footnote marks: "[3]", "(a)", "^1", "*".
_FOOTNOTE = re.compile(r"(?:(?<!\s)\s+|(?<![\s*†‡§]))(?:\[\w{1,3}\]|\([a-f\d]\)|\^\w|[*†‡§]+)\s*$")
_PATH = re.compile(r"[\W_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# A table of labels and entries has two cells in most of its rows.
_PAIRED_SHARE = 0.6


@dataclass(frozen=True)
class Line:
    """A row, or one of the blocks of it that stand side by side: cells by their columns, and what heads it."""

    row: int
    cells: dict[int, str]
    over: str


class TableView:
    """A table of the evidence; ``leading``: the terms of the pages at hand that its rows lead to."""

    def __init__(self, item: EvidenceText, leading: Mapping[int, frozenset[str]] | None = None) -> None:
        self.item, self.leading = item, leading or {}
        raw = [" ".join(name.split()) for name in item.header[:MOST_COLUMNS]]
        self.header, self.shared = _names(raw)
        self.years = frozenset(_YEAR.findall(" ".join(raw)) or _YEAR.findall(item.section))

    @cached_property
    def over(self) -> frozenset[str]:
        """Terms of what stands over the whole table: its document, section and caption, parts all its names share."""
        path = _PATH.sub(" ", self.item.id.partition("#")[0])
        texts = (self.item.title, self.item.section, self.shared, path)
        return frozenset[str]().union(*map(marked_apart, texts))

    @cached_property
    def names(self) -> list[frozenset[str]]:
        """The terms of each column name."""
        return [marked_apart(name) for name in self.header]

    @cached_property
    def lines(self) -> list[Line]:
        """The rows of its body."""
        found: list[Line] = []
        over = ""
        blocks = _blocks(self.header)
        for place, row in enumerate(self.item.rows[:MOST_ROWS]):
            cells = [" ".join(cell.split()) for cell in row[:MOST_COLUMNS]]
            said = {cell for cell in cells if cell}
            if len(said) == 1 and len(cells) > 1:
                over = said.pop()
            for block in blocks or [range(len(cells))]:
                held = {column: cells[column] for column in block if column < len(cells) and cells[column]}
                if len(held) > 1:
                    found.append(Line(place, held, over))
        return found

    @cached_property
    def nearest(self) -> tuple[int | None, float, float]:
        """The row nearest to the question in meaning, how near, and how much nearer than others; None: unmeasured."""
        near = self.item.nearness
        if not near or len(near) < len(self.item.rows):
            return None, 0.0, 0.0
        first, *rest = nlargest(2, near)
        return near.index(first), first, first - (rest[0] if rest else 0.0)

    @cached_property
    def is_paired(self) -> bool:
        """Whether it is a list of labels with their entries, and so its rows are what can be asked for."""
        names = {name for name in self.header if name}
        headless = len(names) <= 1 or any(name.endswith(":") for name in names)
        pairs = sum(len(set(line.cells.values())) == 2 for line in self.lines)
        return headless and bool(self.lines) and pairs >= _PAIRED_SHARE * len(self.lines)


def _names(raw: list[str]) -> tuple[list[str], str]:
    """Column names without the parts that all of them share, which are told apart, and without footnote marks."""
    parts = [[_FOOTNOTE.sub("", part).strip() for part in name.split(_JOINT)] for name in raw]
    named = [set(own) for own in parts if any(own)]
    shared = set[str]().intersection(*named) if not named else named[0].intersection(*named[1:])
    if len(named) < 2:
        shared = set()
    header = [_JOINT.join(part for part in own if part and part not in shared) for own in parts]
    return header, " ".join(sorted(shared))


def _blocks(header: list[str]) -> list[list[int]]:
    """The columns of each of several tables that stand side by side; none where the names do not come again."""
    named = [place for place, name in enumerate(header) if name]
    names = [header[place].casefold() for place in named]
    counted = Counter(names)
    if len(names) < 4 or set(counted.values()) != {counted[names[0]]} or counted[names[0]] < 2:
        return []
    wide = len(counted)
    again = all(names[at] == names[at % wide] for at in range(len(names)))
    return [named[start : start + wide] for start in range(0, len(named), wide)] if again and wide > 1 else []
