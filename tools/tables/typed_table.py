"""Give the tables of a corpus typed columns: the visible text of each cell, and beside it a number, range or date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Literal

import duckdb

from backtrail.state.component import Component
from backtrail.tools.tables.cell_values import (
    calendar_date,
    is_empty,
    number_range,
    quantity,
    uses_decimal_comma,
    without_footnotes,
)
from backtrail.tools.tables.totals import total_rows

Kind = Literal["number", "range", "date"]
Place = tuple[str, int]
"""The file that a document is a part of, and its place among the parts."""
NO_PLACES: Mapping[str, Place] = {}
# A column has a type if at least this share of its filled cells can be read as one (ours).
TYPED_SHARE = 0.8
SUFFIXES = ("_num", "_date", "_low", "_high")
"""Of the names of a column's typed values."""
OWN_COLUMNS = ("row_id", "row_number", "is_total")
"""Columns that every table has in queries."""
_SCALE = re.compile(
    r"\bin (thousands|millions|billions)\b|\((?:[$€£]\s?)?(thousand|million|billion)s?\b|"
    r"^(thousand|million|billion)s of\b", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True)
class Column:
    """One column: its name in queries, the name it is shown by, and what its cells are read as.

    Args:
        values: for each row the number, (low, high) or date; None where the cell has none.
        unreadable: rows whose cell says something that is not of the column's kind.
    """

    name: str
    label: str
    cells: tuple[str, ...]
    kind: Kind | None = None
    unit: str = ""
    values: tuple[Any, ...] = ()
    unreadable: frozenset[int] = frozenset()


@dataclass(frozen=True)
class TypedTable:
    """A table, or several that continue each other, under one name.

    Args:
        rows: for each row its component and its 0-based row there.
        totals: rows that sum up others.
        scale: what a caption or header says of all numbers, such as "in millions".
    """

    name: str
    title: str
    caption: str
    section: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, int], ...]
    totals: frozenset[int] = frozenset()
    scale: str = ""
    components: tuple[str, ...] = ()


def typed_tables(
    components: Sequence[Component], titles: dict[str, str], places: Mapping[str, Place] = NO_PLACES
) -> list[TypedTable]:
    """Return the tables among components, named t1, t2, … in their order.

    Args:
        components: in the order of reading; what is no table, or has no column, is left out.
        titles: of documents, by id.
        places: of documents that are parts of a file, by id.
    """
    groups: list[list[Component]] = []
    for component in components:
        if component.table is None or not (component.table.header or component.table.rows):
            continue
        if groups and _continues(groups[-1][-1], component, places):
            groups[-1].append(component)
        else:
            groups.append([component])
    return [_typed(f"t{number}", group, titles) for number, group in enumerate(groups, start=1)]


def _continues(before: Component, after: Component, places: Mapping[str, Place]) -> bool:
    """Whether a table goes on in the next component: more rows of a sheet, or the next page, under one header."""
    if before.table is None or after.table is None or not _follows(before.document, after.document, places):
        return False
    if before.table.header != after.table.header or before.locator.sheet != after.locator.sheet:
        return False
    first, then = before.locator, after.locator
    if first.first_row is not None and then.first_row is not None:
        # a sheet's rows are stored in pieces; blank rows between them are not
        below = then.first_row - first.first_row - len(before.table.rows)
        return before.table.caption == after.table.caption and (below == 0 or (below > 0 and any(before.table.header)))
    return any(before.table.header) and first.page is not None and then.page == first.page + 1


def _follows(before: str, after: str, places: Mapping[str, Place]) -> bool:
    """Whether a document is the same, or the next one of the same file."""
    if before not in places or after not in places:
        return before == after
    (file, place), (other, then) = places[before], places[after]
    return file == other and then - place in (0, 1)


def _typed(name: str, group: list[Component], titles: dict[str, str]) -> TypedTable:
    first = group[0]
    tables = [component.table for component in group if component.table]
    rows = [
        (component.id, number) for component in group if component.table for number in range(len(component.table.rows))
    ]
    body = [row for table in tables for row in table.rows]
    width = max([len(tables[0].header), *(len(row) for row in body)])
    labels = [tables[0].header[place] if place < len(tables[0].header) else "" for place in range(width)]
    names = _names(labels)
    columns = tuple(
        _column(names[place], labels[place], tuple(row[place] if place < len(row) else "" for row in body))
        for place in range(width)
    )
    said = " ".join([tables[0].caption, first.section, *labels])
    scale = _SCALE.search(said)
    return TypedTable(
        name=name,
        title=titles.get(first.document, first.document),
        caption=tables[0].caption,
        section=first.section,
        columns=columns,
        rows=tuple(rows),
        totals=total_rows(body, [column.values for column in columns if column.kind == "number"]),
        scale=f"in {(scale[1] or scale[2] or scale[3]).casefold().rstrip('s')}s" if scale else "",
        components=tuple(component.id for component in group),
    )


def _names(labels: Sequence[str]) -> list[str]:
    """Names of columns for queries: letters, digits and underscores of the label, each name once.

    No keyword is a name, and none is what the typed values of another column are called.
    """
    names: list[str] = []
    taken = {*OWN_COLUMNS}
    for place, label in enumerate(labels, start=1):
        words = re.sub(r"\W+", "_", label.lower()).strip("_")[:40].strip("_") or f"column_{place}"
        plain = not words[0].isdigit() and not words.startswith("row_id") and words not in _keywords()
        name = words if plain else f"c_{words}"
        while taken & (own := {name, *(f"{name}{suffix}" for suffix in SUFFIXES)}):
            name = f"{name}_{place}"
        names.append(name)
        taken |= own
    return names


@cache
def _keywords() -> frozenset[str]:
    with closing(duckdb.connect(":memory:")) as connection:
        words = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category != 'unreserved'"
        return frozenset(row[0] for row in connection.execute(words).fetchall())


def _column(name: str, label: str, cells: tuple[str, ...]) -> Column:
    filled = {number: cell for number, cell in enumerate(cells) if not is_empty(cell)}
    comma = uses_decimal_comma(list(filled.values()))
    for kind, read in _readers(comma):
        values = {number: read(cell) for number, cell in filled.items()}
        known = {number: value for number, value in values.items() if value is not None}
        if filled and len(known) >= TYPED_SHARE * len(filled):
            units = {value.unit for value in known.values()} if kind == "number" else set()
            return Column(
                name=name,
                label=label,
                cells=tuple(without_footnotes(cell) for cell in cells),
                kind=kind,
                unit=units.pop() if len(units) == 1 else "",
                values=tuple(_value(known.get(number)) for number in range(len(cells))),
                unreadable=frozenset(filled.keys() - known.keys()),
            )
    return Column(name=name, label=label, cells=tuple(without_footnotes(cell) for cell in cells))


def _readers(comma: bool) -> Iterator[tuple[Kind, Callable[[str], Any]]]:
    yield "number", lambda cell: quantity(cell, decimal_comma=comma)
    yield "date", calendar_date
    yield "range", lambda cell: number_range(cell, decimal_comma=comma) or _point(quantity(cell, decimal_comma=comma))


def _point(value: Any) -> tuple[float, float] | None:
    return (value.number, value.number) if value else None


def _value(value: Any) -> float | tuple[float, float] | date | None:
    return value.number if hasattr(value, "number") else value
