"""Compute over tables: show them to a decision, run the query that it writes, and record the rows of the result."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from backtrail.language.terms import content_terms
from backtrail.nodes.take_decision import Taken, take
from backtrail.state.computation import Computation, row_ranges
from backtrail.state.compute_decisions import (
    COMPUTE,
    ColumnView,
    ComputeInputs,
    ComputePlan,
    EarlierComputation,
    TableView,
)
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.tables.database import QueryError, select_rows
from backtrail.tools.tables.offered_tables import offered_tables
from backtrail.tools.tables.operations import apply
from backtrail.tools.tables.typed_table import Column, TypedTable
from backtrail.tools.toolbox import Toolbox

# Of each table that a decision is shown: columns, sample rows and matching values of a column (ours).
COLUMNS_SHOWN = 40
SAMPLE_ROWS = 4
MATCHING_SHOWN = 8
CELL_CHARACTERS = 80
TITLE_CHARACTERS = 400
LABELS_SHOWN = 12
# A longer result, as of a list, is cut; its rows are all cited.
RESULT_CHARACTERS = 4000


class Computed(NamedTuple):
    """What came of it: the computation, done or failed, and the decision with its charge."""

    computation: Computation
    taken: Taken[ComputePlan]


async def compute_over_tables(
    toolbox: Toolbox,
    settings: Settings,
    corpus: CorpusReader,
    *,
    question: str,
    subtask: str,
    tables: Sequence[str],
    earlier: Sequence[Computation],
    node: str,
    step: int,
    spent: dict[str, Charge],
) -> Computed:
    """Take the decision and carry it out. A query that fails or selects nothing is a failed computation.

    Args:
        subtask: what to compute, understood without the run's memory.
        tables: components; tables that continue them are read, too.
        earlier: computations of this run.
    """
    typed = await asyncio.to_thread(offered_tables, corpus, tables)
    inputs = ComputeInputs(
        question=question,
        subtask=subtask,
        tables=[table_view(table, content_terms(f"{question} {subtask}")) for table in typed],
        earlier=[_earlier(one) for one in earlier],
    )
    taken = await take(toolbox, settings, COMPUTE, inputs, node=node, step=step, spent=spent)
    plan = taken.output or ComputePlan(why="No valid query came back.")
    return Computed(await asyncio.to_thread(carry_out, subtask, plan, typed), taken)


def carry_out(subtask: str, plan: ComputePlan, tables: Sequence[TypedTable]) -> Computation:
    """Run a plan over tables."""
    computation: Computation = {
        "question": subtask,
        "tables": [component for table in tables for component in table.components],
        "query": plan.query,
        "operation": plan.operation,
        "result": "",
        "labels": [],
        "examined": 0,
        "selected": 0,
        "unreadable": 0,
        "rows": [],
        "error": "",
    }
    if not plan.query.strip():
        return {**computation, "error": plan.why}
    try:
        selection = select_rows(tables, plan.query)
        computation["examined"], computation["unreadable"] = selection.examined, selection.unreadable
        computation["tables"], computation["selected"] = selection.components, len(selection.rows)
        result = apply(plan.operation, selection.rows)
    except QueryError as error:
        return {**computation, "error": str(error)}
    sources = [source for row in result.rows for source in row.sources]
    labels = [str(row.values["label"]) for row in result.rows if row.values.get("label") is not None]
    shown = [label[:CELL_CHARACTERS] for label in dict.fromkeys(labels)][:LABELS_SHOWN]
    rows = row_ranges(sources, selection.columns)
    done: Computation = {**computation, "result": result.text[:RESULT_CHARACTERS], "labels": shown, "rows": rows}
    fitting = [one for one in tables if one.name in plan.others and one.components[0] not in selection.components]
    return {**done, "others": [*map(_title, fitting)]} if fitting else done


def _title(table: TypedTable) -> str:
    parts = dict.fromkeys(part for part in (table.title, table.section, table.caption) if part)
    return " › ".join(parts)[:TITLE_CHARACTERS]


def table_view(table: TypedTable, terms: frozenset[str]) -> TableView:
    """Return a table as whoever writes a query sees it; values that contain the terms are named."""
    columns = table.columns[:COLUMNS_SHOWN]
    count = len(table.rows)
    sample = sorted({*range(min(SAMPLE_ROWS, count)), *range(count)[-1:]})
    return TableView(
        name=table.name,
        document=table.title[:TITLE_CHARACTERS],
        caption=table.caption[:TITLE_CHARACTERS],
        section=table.section[:TITLE_CHARACTERS],
        scale=table.scale,
        rows=len(table.rows),
        totals=len(table.totals),
        columns=[
            ColumnView(
                name=column.name,
                header=column.label[:TITLE_CHARACTERS],
                kind=column.kind or "text",
                unit=column.unit,
                unreadable=len(column.unreadable),
                matching=_matching(column, terms),
            )
            for column in columns
        ],
        sample=[[column.cells[number][:CELL_CHARACTERS] for column in columns] for number in sample],
    )


def _matching(column: Column, terms: frozenset[str]) -> list[str]:
    """Values that share words with the question, those that share most first."""
    shared = {cell: len(content_terms(cell) & terms) for cell in dict.fromkeys(column.cells)}
    found = sorted((cell for cell in shared if shared[cell]), key=lambda cell: -shared[cell])
    return [cell[:CELL_CHARACTERS] for cell in found[:MATCHING_SHOWN]]


def _earlier(one: Computation) -> EarlierComputation:
    return EarlierComputation(
        question=one["question"],
        query=one["query"],
        operation=one["operation"],
        result=one["result"],
        error=one["error"],
    )
