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
    parsed: dict[str, Any] = json.loads(connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()[0][0])
    if parsed["error"]:
        return [f"The query cannot be parsed: {parsed['error_message']}"]
    if len(parsed["statements"]) != 1:
        return ["Write one SELECT statement, without a semicolon inside."]
    node = parsed["statements"][0]["node"]
    aggregates = _names(connection, "aggregate")
    known = set(tables) | {entry["key"] for part in _parts(node) for entry in part.get("cte_map", {}).get("map", [])}
    problems = [
        f"There is no table {name!r}; tables are {sorted(tables)}." for name in _tables(node) if name not in known
    ]
    problems += [f"{name!r} is no table; read only {sorted(tables)}." for name in _table_functions(node)]
    problems += [f"Rows must come back one by one: leave out {what}." for what in _aggregated(node, aggregates)]
    return list(dict.fromkeys(problems))


def _names(connection: duckdb.DuckDBPyConnection, kind: str) -> frozenset[str]:
    rows = connection.execute("SELECT function_name FROM duckdb_functions() WHERE function_type = ?", [kind]).fetchall()
    return frozenset(row[0] for row in rows)


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a parsed query."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _parts(one)


def _tables(node: Any) -> Iterator[str]:
    for part in _parts(node):
        if part.get("type") == "BASE_TABLE":
            yield ".".join(filter(None, (part.get("catalog_name"), part.get("schema_name"), part["table_name"])))


def _table_functions(node: Any) -> Iterator[str]:
    for part in _parts(node):
        if part.get("type") == "TABLE_FUNCTION":
            yield str(part.get("function", {}).get("function_name"))


def _aggregated(node: dict[str, Any], aggregates: Collection[str]) -> Iterator[str]:
    """What groups or aggregates the rows of a SELECT; subqueries of expressions may."""
    if node["type"] == "SET_OPERATION_NODE":
        if node.get("setop_type") != "UNION" or not node.get("setop_all", True):
            yield f"{node.get('setop_type')}; only UNION ALL keeps each row"
        for child in node["children"]:
            yield from _aggregated(child, aggregates)
        return
    if node.get("group_expressions"):
        yield "GROUP BY"
    if any(modifier.get("type") == "DISTINCT_MODIFIER" for modifier in node.get("modifiers") or []):
        yield "DISTINCT"
    for entry in node.get("cte_map", {}).get("map", []):
        yield from _aggregated(entry["value"]["query_node"], aggregates)
    for part in _parts(node.get("from_table")):
        if part.get("type") == "SUBQUERY" and "subquery" in part:
            yield from _aggregated(part["subquery"]["node"], aggregates)
    for expression in node.get("select_list", []):
        yield from _aggregates(expression, aggregates)


def _aggregates(expression: Any, aggregates: Collection[str]) -> Iterator[str]:
    if isinstance(expression, dict):
        if expression.get("class") in ("SUBQUERY", "WINDOW"):
            return
        if expression.get("class") == "FUNCTION" and expression["function_name"] in aggregates:
            yield f"{expression['function_name']}(…), which is what the operation is for"
        expression = list(expression.values())
    if isinstance(expression, list):
        for one in expression:
            yield from _aggregates(one, aggregates)
