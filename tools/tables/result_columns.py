"""Find the columns of tables that the results of a checked query are read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backtrail.tools.tables.check_query import parts
from backtrail.tools.tables.typed_table import OWN_COLUMNS, SUFFIXES, TypedTable

RESULTS = ("value", "label", "part")
"""Names of the columns that operations read."""
_UNCLEAR = frozenset({"SUBQUERY", "WINDOW", "LAMBDA", "STAR"})
"""Classes of expressions that read more than the row, or columns without their names."""

Scope = Mapping[str, TypedTable]
"""Tables by the names that a query gives them, in lower case."""


def result_columns(node: dict[str, Any], tables: Sequence[TypedTable]) -> dict[str, list[int]]:
    """Return the 0-based columns, by the names of tables, that value, label, part and WHERE read.

    Nothing is returned unless each is clear: the query is one SELECT from tables, and names their columns (ours).
    """
    scope = _scope(node.get("from_table"), {table.name: table for table in tables})
    read = [one for one in node.get("select_list") or () if _name(one) in RESULTS]
    expressions = list(parts([*read, node.get("where_clause")]))
    if node.get("cte_map", {}).get("map") or not scope or any(part.get("class") in _UNCLEAR for part in expressions):
        return {}
    found: dict[str, set[int]] = {}
    for reference in (part["column_names"] for part in expressions if part.get("class") == "COLUMN_REF"):
        if reference[-1].casefold() in OWN_COLUMNS:
            continue
        places = _places([name.casefold() for name in reference], scope)
        if len(places) != 1:
            return {}
        table, column = places[0]
        found.setdefault(table, set()).add(column)
    return {table: sorted(columns) for table, columns in found.items()}


def _name(item: Mapping[str, Any]) -> str:
    return str(item.get("alias") or (item.get("column_names") or [""])[-1]).casefold()


def _scope(source: Any, tables: Scope) -> Scope:
    """The tables of FROM; none if it has anything else, or other names for columns."""
    named = [part for part in parts(source) if part.get("type") == "BASE_TABLE"]
    plain = all(
        part.get("type") not in ("SUBQUERY", "PIVOT") and not part.get("column_name_alias") for part in parts(source)
    )
    scope = {
        str(one.get("alias") or one["table_name"]).casefold(): tables.get(one["table_name"].casefold()) for one in named
    }
    found = {name: table for name, table in scope.items() if table is not None}
    return found if plain and len(found) == len(named) else {}


def _places(reference: Sequence[str], scope: Scope) -> list[tuple[str, int]]:
    """The table and the column that a reference may mean."""
    *qualified, name = reference
    return [
        (table.name, number)
        for alias, table in scope.items()
        if qualified in ([], [alias])
        for number, column in enumerate(table.columns)
        if name in (column.name, *(f"{column.name}{suffix}" for suffix in SUFFIXES))
    ]
