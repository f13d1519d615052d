"""MCP tools ``tables`` and ``compute``: find tables of a corpus, and compute over their rows by a query.

Neither needs a run or a model: the client writes the query. Queries, bounds and citations are those of runs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, get_args

from backtrail.language.terms import content_terms
from backtrail.nodes.compute_tables import carry_out, table_view
from backtrail.nodes.reading.citation_locations import quoted
from backtrail.nodes.reading.computed_evidence import computation_citations, computed_text
from backtrail.nodes.retrieve import ranked
from backtrail.server.mcp_arguments import READS_ALONE, corpus_input, corpus_settings, inputs, text
from backtrail.state.computation import Computation, Operation, RowRanges
from backtrail.state.compute_decisions import QUERY_CHARACTERS, ColumnView, ComputePlan, TableView
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.question_input import check_question
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.tables.offered_tables import MOST_TABLES, offered_tables
from backtrail.tools.tables.typed_table import TypedTable
from backtrail.tools.toolbox import Toolbox

SEARCHED, PIECES = 1000, 25
"""Components of a search that tables are looked for among, and those of tables that are read (ours)."""
WHOLE = 20_000
"""Characters of a description of tables and of a result's text (ours)."""
RANGES, QUOTED = 200, 8
"""Ranges of source rows that are listed, and tables whose rows are quoted in the text (ours)."""
AT_ONCE = 2
"""Calls that may read tables or look for a phrase at one time; a computation may take 256 MB and 10 seconds (ours)."""

_reading = threading.BoundedSemaphore(AT_ONCE)
_VALUES = {"number": "_num", "date": "_date", "range": "_low, _high"}


class TooManyComputations(BacktrailError):
    """Other calls read much; the message says to try again."""


def table_tools(corpora: list[str]) -> list[dict[str, Any]]:
    """Return the descriptions of both tools."""
    corpus = corpus_input(corpora)
    words = {"type": "string", "description": "Words of the caption, the headers, the title or the cells."}
    ids = {
        "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_TABLES,
        "description": "Ids of tables. The first is t1 in the query, the next t2.",
    }  # fmt: skip
    query = {"type": "string", "maxLength": QUERY_CHARACTERS, "description": _QUERY}
    operation = {"type": "string", "enum": list(get_args(Operation)), "description": _OPERATION}
    return [
        {
            "name": "tables", "title": "Find tables", "annotations": READS_ALONE,
            "description": f"Finds up to {MOST_TABLES} tables of a corpus, whole, with their columns, numbers of rows, "
            "and some rows, for use with the tool compute.",
            "inputSchema": inputs({"corpus": corpus, "query": words}, ["corpus", "query"]),
        },
        {
            "name": "compute", "title": "Compute over tables", "annotations": READS_ALONE,
            "description": "Selects rows of tables by a query and applies one operation to all of them. Returns the "
            "result and exactly the rows that it rests on. Without a query the tables are described.",
            "inputSchema": inputs(
                {"corpus": corpus, "tables": ids, "query": query, "operation": operation}, ["corpus", "tables"]
            ),
        },
    ]  # fmt: skip


_QUERY = (
    "One DuckDB SELECT that returns the rows the operation looks at. Return row_id of each table (of a join also as "
    "row_id_2), and name columns by AS value, AS label, AS part. No GROUP BY, DISTINCT or aggregates in what is "
    "returned. A column is its text; its number is named …_num, its date …_date, its range …_low and …_high. is_total "
    "marks rows that sum up others. Example: SELECT row_id, river AS label, length_num AS value FROM t1 WHERE NOT "
    "is_total"
)
_OPERATION = (
    "count: rows. distinct: different labels. sum, mean, min, max: of value. difference: of two values. share: per "
    "cent of rows where part is true, by value if there is one. rank: place of the row where part is true. list, "
    "first, last: labels in the order of the query. Default: count."
)


def find_tables(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    """Find tables by words. Blocking."""
    settings, query = corpus_settings(given, whom, ("corpus", "query")), text(given, "query")
    check_question(query)
    corpus = toolbox.corpus(settings)
    with bounded_reading():
        found = corpus.components([one["id"] for one in ranked(corpus, query, "hybrid", SEARCHED)])
        ids = [key for key, component in found.items() if component.table][:PIECES]
        return _described(offered_tables(corpus, ids), content_terms(query))


def compute(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    """Carry out a query and an operation over tables. Blocking.

    Raises:
        InputRefused: an argument is wrong, or the query failed; then the message describes the tables.
    """
    settings = corpus_settings(given, whom, ("corpus", "tables", "query", "operation"))
    ids, plan = _ids(given), _plan(given)
    corpus = toolbox.corpus(settings)
    with bounded_reading():
        tables = offered_tables(corpus, ids)
        read = {component for table in tables for component in table.components}
        if unknown := [id_ for id_ in ids if id_ not in read]:
            raise InputRefused(
                f"The corpus {settings.corpus!r} has no table {unknown[0][:200]!r}; the tool tables finds them."
            )
        if not plan.query:
            return _described(tables, frozenset())
        done = carry_out("", plan, tables)
    if done["error"]:
        raise InputRefused(f"{done['error']}\n\n{_described(tables, frozenset())[0]}")
    return _computed(done, corpus)


@contextmanager
def bounded_reading() -> Iterator[None]:
    """Hold one of the places for calls that read much.

    Raises:
        TooManyComputations: all of them are taken.
    """
    if not _reading.acquire(blocking=False):
        raise TooManyComputations(f"{AT_ONCE} calls are reading much now. Try again in some seconds.")
    try:
        yield
    finally:
        _reading.release()


def _ids(given: Mapping[str, Any]) -> list[str]:
    ids = given.get("tables")
    if not isinstance(ids, list) or not 1 <= len(ids) <= MOST_TABLES or not all(isinstance(one, str) for one in ids):
        raise InputRefused(f"'tables' must be a list of 1 to {MOST_TABLES} ids of tables; the tool tables finds them.")
    return ids


def _plan(given: Mapping[str, Any]) -> ComputePlan:
    query, operation = given.get("query", ""), given.get("operation", "count")
    if not isinstance(query, str) or len(query) > QUERY_CHARACTERS:
        raise InputRefused(f"'query' must be a string of at most {QUERY_CHARACTERS:,} characters.")
    if operation not in get_args(Operation):
        raise InputRefused(f"'operation' must be one of {', '.join(get_args(Operation))}.")
    return ComputePlan(query=query.strip(), operation=operation)


def _described(tables: Sequence[TypedTable], terms: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """Return tables as text and values, as many as fit; the first always does."""
    shown: list[str] = []
    values: list[dict[str, Any]] = []
    for table in tables:
        view = table_view(table, terms)
        lines = _lines(table.components[0], view)
        if shown and sum(map(len, shown)) + len(lines) > WHOLE:
            break
        shown.append(lines)
        values.append({"id": table.components[0], **view.model_dump()})
    left = len(tables) - len(shown)
    more = [f"({left} further tables do not fit; use other words.)"] if left else []
    return "\n\n".join([*shown, *more])[:WHOLE] or "No table was found.", {"tables": values, "left": left}


def _lines(id_: str, view: TableView) -> str:
    titles = " › ".join(dict.fromkeys(part for part in (view.document, view.section, view.caption) if part))
    rows = f"{view.rows} rows" + (f", of them {view.totals} totals" if view.totals else "")
    head = f"{view.name}: {titles} (id {id_}; {rows}{f'; all numbers {view.scale}' if view.scale else ''})"
    samples = list(zip(*view.sample, strict=True)) or [()] * len(view.columns)
    return "\n".join([head, *(_line(one, cells) for one, cells in zip(view.columns, samples, strict=True))])


def _line(column: ColumnView, cells: Sequence[str]) -> str:
    kind = f"{column.kind}, in {_VALUES[column.kind]}" if column.kind in _VALUES else column.kind
    unit = f", unit {column.unit}" if column.unit else ""
    shown = "; ".join(dict.fromkeys([*column.matching, *filter(None, cells)]))
    return f"- {column.name} ({kind}{unit}) {column.header!r}: {shown}"


def _computed(done: Computation, corpus: CorpusReader) -> tuple[str, dict[str, Any]]:
    """Return a computation as text and values, with the source rows that fit."""
    rows = _first_ranges(done["rows"])
    components = corpus.components([one["component"] for one in rows] or done["tables"][:QUOTED])
    documents = corpus.documents({one.document for one in components.values()})
    sources = computation_citations({**done, "rows": rows}, components, documents)
    left = _number(done["rows"]) - _number(rows)
    lines = [*computed_text("", done).sentences, *(f"[{n}] {quoted(one)}" for n, one in enumerate(sources[:QUOTED], 1))]
    kept = ("result", "operation", "query", "examined", "selected", "unreadable", "labels")
    return "\n".join(lines)[:WHOLE], {**{key: done[key] for key in kept}, "sources": sources, "source_rows_left": left}


def _first_ranges(rows: Sequence[RowRanges]) -> list[RowRanges]:
    kept: list[RowRanges] = []
    room = RANGES
    for one in rows:
        if room:
            kept.append({**one, "ranges": one["ranges"][:room]})
            room -= len(kept[-1]["ranges"])
    return kept


def _number(rows: Sequence[RowRanges]) -> int:
    return sum(high - low + 1 for one in rows for low, high in one["ranges"])
