"""Check a query written by a model: one SELECT over offered tables that returns rows and aggregates nothing."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

import duckdb


def query_problems(connection: duckdb.DuckDBPyConnection, sql: str, tables: Collection[str]) -> list[str]:
    """Return what is wrong with a query, a sentence each, for whoever wrote it.

    Allowed are SELECT, WITH, UNION and joins of the tables named; their rows must come back as they are, so that each
    can be cited. Aggregates are allowed in subqueries of conditions, as in ``WHERE x > (SELECT avg(x) FROM t1)``.
    """
    try:
        parsed = parse(connection, sql)
    except RecursionError:
        return ["The query is nested too deeply."]
    if parsed["error"]:
        return [f"The query cannot be parsed: {parsed['error_message']}"]
    if len(parsed["statements"]) != 1:
        return ["Write one SELECT statement, without a semicolon inside."]
    node = parsed["statements"][0]["node"]
    aggregates = _names(connection, "aggregate")
    known = set(tables) | {entry["key"] for part in parts(node) for entry in part.get("cte_map", {}).get("map", [])}
    problems = [
        f"There is no table {name!r}; tables are {sorted(tables)}." for name in _tables(node) if name not in known
    ]
    problems += [f"{name!r} is no table; read only {sorted(tables)}." for name in _table_functions(node)]
    problems += [f"Rows must come back one by one: leave out {what}." for what in _aggregated(node, aggregates)]
    return list(dict.fromkeys(problems))


def parse(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    """Return DuckDB's syntax tree of a query, or its error.

    Raises:
        RecursionError: the query is nested too deeply.
    """
    parsed: dict[str, Any] = json.loads(connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()[0][0])
    return parsed


def _names(connection: duckdb.DuckDBPyConnection, kind: str) -> frozenset[str]:
    rows = connection.execute("SELECT function_name FROM duckdb_functions() WHERE function_type = ?", [kind]).fetchall()
    return frozenset(row[0] for row in rows)


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a parsed query."""
    open_parts = [value]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, dict):
            yield part
            part = list(part.values())
        if isinstance(part, list):
            open_parts += part


def _tables(node: Any) -> Iterator[str]:
    for part in parts(node):
        if part.get("type") == "BASE_TABLE":
            yield ".".join(filter(None, (part.get("catalog_name"), part.get("schema_name"), part["table_name"])))


def _table_functions(node: Any) -> Iterator[str]:
    for part in parts(node):
        if part.get("type") == "TABLE_FUNCTION":
            yield str(part.get("function", {}).get("function_name"))


def _aggregated(node: dict[str, Any], aggregates: Collection[str]) -> Iterator[str]:
    """What groups or aggregates rows that are returned."""
    for one in _returning(node):
        if one["type"] == "SET_OPERATION_NODE" and (one.get("setop_type") != "UNION" or not one.get("setop_all")):
            yield f"{one.get('setop_type')}; only UNION ALL keeps each row"
        if one.get("group_expressions"):
            yield "GROUP BY"
        if any(modifier.get("type") == "DISTINCT_MODIFIER" for modifier in one.get("modifiers") or []):
            yield "DISTINCT"
        for name in _functions(one.get("select_list")):
            if name in aggregates:
                yield f"{name}(…), which is what the operation is for"


def _returning(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The SELECTs whose rows are returned: not those in expressions, which only compare."""
    open_parts: list[Any] = [node]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, list):
            open_parts += part
        elif isinstance(part, dict) and str(part.get("type")).endswith("_NODE"):
            yield part
            open_parts += [part.get(key) for key in ("children", "left", "right", "cte_map", "from_table")]
        elif isinstance(part, dict) and "class" not in part:
            open_parts += part.values()


def _functions(expressions: Any) -> Iterator[str]:
    """Functions that are called for each row: not those in subqueries and windows."""
    open_parts: list[Any] = [expressions]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, list):
            open_parts += part
        elif isinstance(part, dict) and part.get("class") not in ("SUBQUERY", "WINDOW"):
            if part.get("class") == "FUNCTION":
                yield part["function_name"]
            open_parts += part.values()
