"""A computation over tables: the query, the operation, its result, and exactly the rows that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

Operation = Literal[
    "count", "distinct", "sum", "mean", "min", "max", "first", "last", "difference", "share", "list", "rank"
]


NO_COLUMNS: Mapping[str, Sequence[int]] = {}


class RowRanges(TypedDict):
    """Rows of one table component: ranges of 0-based rows, both ends included, in order.

    ``columns`` are the 0-based columns that the operation and the conditions read, where that is clear.
    """

    component: str
    ranges: list[tuple[int, int]]
    columns: NotRequired[list[int]]


class Computation(TypedDict):
    """One computation, done or failed.

    ``tables`` are the components that the query reads, or could have read. ``examined`` counts their rows, ``selected``
    those that the query returned, ``unreadable`` the examined rows with a cell that could not be read as its column's
    kind. ``rows`` are the sources of the result. ``labels`` are those of the first rows, where the query named one.
    ``others`` are titles of tables that fit as well and were not read. ``error`` is empty unless it failed.
    """

    question: str
    tables: list[str]
    query: str
    operation: Operation
    result: str
    labels: list[str]
    others: NotRequired[list[str]]
    examined: int
    selected: int
    unreadable: int
    rows: list[RowRanges]
    error: str


def row_ranges(
    rows: Iterable[tuple[str, int | None]], columns: Mapping[str, Sequence[int]] = NO_COLUMNS
) -> list[RowRanges]:
    """Return rows, given as component and number, as ranges for each component, with its columns.

    No number adds no row.
    """
    by_component: dict[str, set[int]] = {}
    for component, row in rows:
        by_component.setdefault(component, set()).update([] if row is None else [row])
    found: list[RowRanges] = []
    for component, numbers in by_component.items():
        one: RowRanges = {"component": component, "ranges": _ranges(sorted(numbers))}
        found.append({**one, "columns": [*columns[component]]} if component in columns else one)
    return found


def numbers_of(rows: RowRanges) -> list[int]:
    """Return the single numbers of ranges."""
    return [number for low, high in rows["ranges"] for number in range(low, high + 1)]


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges
