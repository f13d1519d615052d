"""Reference: the default in a list of settings, of the one that the question describes: "Key | Description | Default".

Nobody asks for a setting by its name who does not know it. What it does stands in its description, in other words than
the question's, so the row is told by its meaning: plainly nearer to the question than any other row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.rules.reader.lookup.column_meant import may_answer
from backtrail.rules.reader.lookup.marks import marked
from backtrail.rules.reader.lookup.question import Question
from backtrail.rules.reader.lookup.table_view import TableView
from backtrail.rules.reader.written.defaults import asks_default

# How near the row has to be to the question, how much nearer than any other of its table, and of other such tables.
LEAST_NEAR, LEAST_LEAD, LEAST_TABLE_LEAD = 0.45, 0.04, 0.08
_DEFAULT, _DESCRIPTION = marked("default"), marked("description meaning purpose details explanation")
# A name is asked for in other words alone: nothing but the meaning speaks for its row.
LEAST_NEAR_OF_KEY = 0.5
_KEYS = content_terms(
    "option parameter setting property field flag directive variable key switch metric attribute argument"
)
_KEY = re.compile(r"\S{2,60}")
# A table that does not say so describes in long cells.
_LONG = 25
_UNSET = re.compile(
    r"[\W_]*(?:none|null|nil|unset|not set|no default|n/a|empty|required|undefined)?[\W_]*", re.IGNORECASE
)
_UNIT = re.compile(
    r"\bin\s+(?P<unit>(?:milli|micro)?seconds|minutes|hours|days|(?:kilo|mega|giga)?bytes|[kmg]i?b|percent)\b",
    re.IGNORECASE,
)
_COUNTED = ("number", "manner")


@dataclass(frozen=True)
class Setting:
    """The row of a setting, the column of its default, and how near it is to the question."""

    table: TableView
    row: int
    column: int
    near: float

    @property
    def text(self) -> str:
        """The default, with the unit that the description names for a bare number."""
        cells = [" ".join(cell.split()) for cell in self.table.item.rows[self.row]]
        value = cells[self.column]
        unit = _UNIT.search(" ".join(cells[: self.column] + cells[self.column + 1 :]))
        return f"{value} {unit['unit']}" if unit and value.isdigit() else value


def setting_meant(tables: Sequence[TableView], question: Question) -> Setting | None:
    """The setting that a question describes, where it asks for its default, or for a number that only that can be."""
    if not asks_default(question.shape) and question.shape.kind not in _COUNTED:
        return None
    found = [one for table in tables if (one := _of_table(table))]
    found.sort(key=lambda one: -one.near)
    if not found or found[0].near < LEAST_NEAR or found[0].table.nearest[2] < LEAST_LEAD:
        return None
    best = found[0]
    others = [one.near for one in found[1:] if one.text != best.text]
    value = best.table.item.rows[best.row][best.column]
    if (others and best.near - others[0] < LEAST_TABLE_LEAD) or _UNSET.fullmatch(value):
        return None
    name = best.table.item.header[best.column]
    if question.shape.kind in _COUNTED and not any(map(str.isdigit, value)):
        return None
    return best if may_answer(value, name, question) else None


def key_meant(tables: Sequence[TableView], question: Question) -> Setting | None:
    """The name of the setting, option or code that a question describes, where it asks which one that is."""
    if not question.head & _KEYS:
        return None
    found = [one for table in tables if (one := _key_of_table(table, question))]
    found.sort(key=lambda one: -one.near)
    if not found or found[0].near < LEAST_NEAR_OF_KEY or found[0].table.nearest[2] < LEAST_LEAD:
        return None
    others = [one.near for one in found[1:] if one.text != found[0].text]
    return None if others and found[0].near - others[0] < LEAST_TABLE_LEAD else found[0]


def _key_of_table(table: TableView, question: Question) -> Setting | None:
    row, near, _ = table.nearest
    cells = table.item.rows[row] if row is not None else []
    named = [place for place, name in enumerate(table.names) if name & (question.head | _KEYS)]
    if row is None or named[:1] != [0] or not _KEY.fullmatch(cells[0].strip()) or not _describes(table, row, 0):
        return None
    return Setting(table, row, 0, near)


def _of_table(table: TableView) -> Setting | None:
    """The row of a list of settings that is nearest to the question."""
    columns = [place for place, name in enumerate(table.names) if name & _DEFAULT]
    row, near, _ = table.nearest
    if len(columns) != 1 or row is None or not _describes(table, row, columns[0]):
        return None
    return Setting(table, row, columns[0], near) if columns[0] < len(table.item.rows[row]) else None


def _describes(table: TableView, row: int, default: int) -> bool:
    named = any(name & _DESCRIPTION for name in table.names)
    return named or any(len(cell) >= _LONG for place, cell in enumerate(table.item.rows[row]) if place != default)
