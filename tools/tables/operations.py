"""The closed list of operations over selected rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from backtrail.state.computation import Operation
from backtrail.tools.tables.database import QueryError, SelectedRow


class Result(NamedTuple):
    """What an operation makes of rows.

    Args:
        text: the result as it is shown.
        rows: the rows that are the result's sources: all of them, or those that were chosen.
    """

    text: str
    rows: list[SelectedRow]


def apply(operation: Operation, rows: Sequence[SelectedRow]) -> Result:
    """Apply an operation to rows.

    ``sum``, ``mean``, ``min``, ``max``, ``difference`` and ``share`` read the column ``value``; ``share`` and ``rank``
    the boolean column ``part``; ``distinct``, ``list``, ``min``, ``max``, ``first`` and ``last`` the column ``label``.

    Raises:
        QueryError: no rows, or rows that do not have what the operation reads.
    """
    if not rows and operation != "count":
        raise QueryError("The query selects no row.")
    return _APPLIED[operation](list(rows))


def _count(rows: list[SelectedRow]) -> Result:
    return Result(str(len({row.sources for row in rows})), rows)


def _distinct(rows: list[SelectedRow]) -> Result:
    return Result(str(len({_label(row).strip().casefold() for row in rows})), rows)


def _sum(rows: list[SelectedRow]) -> Result:
    return Result(_shown(math.fsum(_numbers(rows))), rows)


def _mean(rows: list[SelectedRow]) -> Result:
    return Result(_shown(math.fsum(_numbers(rows)) / len(rows)), rows)


def _extreme(choose: Callable[[Any], Any]) -> Callable[[list[SelectedRow]], Result]:
    def least_or_greatest(rows: list[SelectedRow]) -> Result:
        best = choose(_values(rows))
        chosen = [row for row in rows if row.values["value"] == best]
        labels = "; ".join(dict.fromkeys(_label(row) for row in chosen if "label" in row.values))
        return Result(f"{labels}: {_shown(best)}" if labels else _shown(best), chosen)

    return least_or_greatest


def _at(place: int) -> Callable[[list[SelectedRow]], Result]:
    return lambda rows: Result(_label(rows[place]), [rows[place]])


def _difference(rows: list[SelectedRow]) -> Result:
    if len(rows) != 2:
        raise QueryError(f"A difference needs exactly two rows, and the query selects {len(rows)}.")
    first, second = _values(rows)
    if isinstance(first, date) != isinstance(second, date):
        raise QueryError("A difference needs two numbers or two dates.")
    return Result(f"{(first - second).days} days" if isinstance(first, date) else _shown(first - second), rows)


def _share(rows: list[SelectedRow]) -> Result:
    weights = _numbers(rows) if "value" in rows[0].values else [1.0] * len(rows)
    whole = math.fsum(weights)
    if not whole:
        raise QueryError("The whole is zero, so that nothing is a share of it.")
    part = math.fsum(weight for weight, chosen in zip(weights, _parts(rows), strict=True) if chosen)
    return Result(f"{_shown(100 * part / whole)} %", rows)


def _list(rows: list[SelectedRow]) -> Result:
    return Result("; ".join(dict.fromkeys(_label(row) for row in rows)), rows)


def _rank(rows: list[SelectedRow]) -> Result:
    places = [place for place, chosen in enumerate(_parts(rows), start=1) if chosen]
    if not places:
        raise QueryError("No selected row has part = true.")
    return Result(f"{places[0]} of {len(rows)}", rows[: places[0]])


_APPLIED: dict[Operation, Callable[[list[SelectedRow]], Result]] = {
    "count": _count,
    "distinct": _distinct,
    "sum": _sum,
    "mean": _mean,
    "min": _extreme(min),
    "max": _extreme(max),
    "first": _at(0),
    "last": _at(-1),
    "difference": _difference,
    "share": _share,
    "list": _list,
    "rank": _rank,
}


def _values(rows: Sequence[SelectedRow]) -> list[Any]:
    if "value" not in rows[0].values:
        raise QueryError("Name the column that the operation reads: SELECT row_id, … AS value.")
    values = [row.values["value"] for row in rows]
    if empty := sum(value is None for value in values):
        raise QueryError(f"{empty} of {len(rows)} selected rows have no value. Leave them out: … IS NOT NULL.")
    return values


def _numbers(rows: Sequence[SelectedRow]) -> list[float]:
    values = _values(rows)
    if strange := next(
        (value for value in values if isinstance(value, bool) or not isinstance(value, int | float)), None
    ):
        raise QueryError(f"value must be a number, not {strange!r}. Use the column that ends in _num.")
    return [float(value) for value in values]


def _parts(rows: Sequence[SelectedRow]) -> list[bool]:
    if "part" not in rows[0].values:
        raise QueryError("Name the column that says which rows are meant: SELECT row_id, (condition) AS part.")
    return [row.values["part"] is True for row in rows]


def _label(row: SelectedRow) -> str:
    shown = [row.values["label"]] if "label" in row.values else list(row.values.values())
    if not shown:
        raise QueryError("Name the column that is shown: SELECT row_id, … AS label.")
    return ", ".join(_shown(value) for value in shown if value is not None)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.10g}" if abs(value) < 1e10 else f"{value:.0f}"
    return str(value)
