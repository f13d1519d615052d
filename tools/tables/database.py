"""Run checked queries over tables in DuckDB, with bounds on memory, time and rows, and without access to files."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import duckdb

from backtrail.tools.errors import BacktrailError
from backtrail.tools.tables.check_query import parse, query_problems
from backtrail.tools.tables.result_columns import result_columns
from backtrail.tools.tables.typed_table import Column, TypedTable

MEMORY = "256MB"
SECONDS = 10.0
MOST_ROWS = 100_000
MESSAGE_CHARACTERS = 500


class QueryError(BacktrailError):
    """A query is not allowed, failed, or ran into a bound; the message is for whoever wrote it."""


class SelectedRow(NamedTuple):
    """A row that a query returned.

    Args:
        sources: component and 0-based row of each row of a table that is part of it: one, or several of a join.
        values: what else the query returned, by the names of its columns.
    """

    sources: tuple[tuple[str, int], ...]
    values: dict[str, Any]


class Selection(NamedTuple):
    """The rows that a query selected, and what it read.

    Args:
        rows: in the order of the query.
        components: those of the tables that the query names.
        examined: number of rows of these tables.
        unreadable: of those, rows with a cell that its column's kind does not fit, in a column that the query names.
        columns: by component the 0-based columns that value, label, part and WHERE read, where that is clear.
    """

    rows: list[SelectedRow]
    components: list[str]
    examined: int
    unreadable: int
    columns: dict[str, list[int]]


def select_rows(tables: Sequence[TypedTable], sql: str) -> Selection:
    """Run one query over tables.

    Every table has the columns ``row_id``, ``row_number`` (from 1), ``is_total`` and its own by their names as visible
    text; beside a number column ``…_num``, beside a date column ``…_date``, beside a range ``…_low`` and ``…_high``.
    Each column of the query whose name begins with ``row_id`` names the source of the row.

    Raises:
        QueryError: the query is not allowed, has no ``row_id``, fails, or takes more than ``SECONDS``, ``MEMORY`` or
            ``MOST_ROWS``.
    """
    names, returned, columns = _returned(tables, sql)
    sources = {_row_id(table, number): source for table in tables for number, source in enumerate(table.rows)}
    ids = [place for place, name in enumerate(names) if re.match(r"row_id(?:_?\d+)?$", name)]
    if not ids:
        raise QueryError("Return row_id: each row has to be cited. Of a join return each table's, as row_id, row_id_2.")
    rows: list[SelectedRow] = []
    for row in returned:
        cited = [row[place] for place in ids if row[place] is not None]
        unknown = [one for one in cited if one not in sources]
        if unknown or not cited:
            raise QueryError(f"row_id must be the column of a table as it is, not {(unknown or [None])[0]!r}.")
        values = {name: value for place, (name, value) in enumerate(zip(names, row, strict=True)) if place not in ids}
        rows.append(SelectedRow(tuple(dict.fromkeys(sources[one] for one in cited)), values))
    used = [table for table in tables if re.search(rf"\b{table.name}\b", sql, re.IGNORECASE)]
    unread = {(table.name, row) for table in used for column in _named(table, sql) for row in column.unreadable}
    read = [component for table in used for component in table.components]
    named = {
        component: columns[table.name] for table in used if table.name in columns for component in table.components
    }
    return Selection(rows, read, sum(len(table.rows) for table in used), len(unread), named)


def _named(table: TypedTable, sql: str) -> list[Column]:
    """Columns whose typed values a query names."""
    return [
        column for column in table.columns if re.search(rf"\b{re.escape(column.name)}_(?:num|date|low|high)\b", sql)
    ]


def _returned(tables: Sequence[TypedTable], sql: str) -> tuple[list[str], list[tuple[Any, ...]], dict[str, list[int]]]:
    """Load the tables, check the query and run it: names of columns, rows, and the columns they are read from."""
    try:
        with closing(_connection()) as connection, _interrupted_after(connection, SECONDS):
            for table in tables:
                _load(connection, table)
            connection.execute("SET lock_configuration = true")
            if problems := query_problems(connection, sql, [table.name for table in tables]):
                raise QueryError(" ".join(problems))
            columns = result_columns(parse(connection, sql)["statements"][0]["node"], tables)
            cursor = connection.execute(sql)
            rows = cursor.fetchmany(MOST_ROWS + 1)
            names = [entry[0] for entry in cursor.description or []]
    except duckdb.InterruptException:
        raise QueryError(
            f"The query took longer than {SECONDS:g} seconds. Join on equal columns, or read less."
        ) from None
    except (duckdb.Error, UnicodeError) as error:
        raise QueryError(str(error).split("\n", 1)[0][:MESSAGE_CHARACTERS]) from error
    if len(rows) > MOST_ROWS:
        raise QueryError(f"The query returns more than {MOST_ROWS} rows. Add a condition.")
    return names, rows, columns


def _connection() -> duckdb.DuckDBPyConnection:
    extensions = dict.fromkeys(("autoinstall_known_extensions", "autoload_known_extensions"), "false")
    connection = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "threads": 1, **extensions})
    connection.execute("SET temp_directory = ''")
    connection.execute("SET enable_external_access = false")
    return connection


def _load(connection: duckdb.DuckDBPyConnection, table: TypedTable) -> None:
    columns = list(_typed_columns(table))
    selected = ", ".join(f'unnest(?::{kind}[]) AS "{name}"' for name, kind, _ in columns)
    connection.execute(f"CREATE TABLE {table.name} AS SELECT {selected}", [list(values) for _, _, values in columns])


def _typed_columns(table: TypedTable) -> Iterator[tuple[str, str, Sequence[Any]]]:
    """Name, type and values of each column in DuckDB."""
    count = len(table.rows)
    yield "row_id", "VARCHAR", [_row_id(table, number) for number in range(count)]
    yield "row_number", "BIGINT", range(1, count + 1)
    yield "is_total", "BOOLEAN", [number in table.totals for number in range(count)]
    for column in table.columns:
        yield column.name, "VARCHAR", column.cells
        if column.kind == "number":
            yield f"{column.name}_num", "DOUBLE", column.values
        elif column.kind == "date":
            yield f"{column.name}_date", "DATE", column.values
        elif column.kind == "range":
            yield f"{column.name}_low", "DOUBLE", [value and value[0] for value in column.values]
            yield f"{column.name}_high", "DOUBLE", [value and value[1] for value in column.values]


def _row_id(table: TypedTable, number: int) -> str:
    return f"{table.name}:{number}"


@contextmanager
def _interrupted_after(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """Interrupt whatever runs after some seconds, again and again: an interrupt between two statements is lost."""
    finished = threading.Event()

    def interrupt() -> None:
        interval = seconds
        while not finished.wait(interval):
            connection.interrupt()
            interval = 0.1

    watch = threading.Thread(target=interrupt, daemon=True)
    watch.start()
    try:
        yield
    finally:
        finished.set()
        watch.join()
