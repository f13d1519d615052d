"""The decision of a computation: a query that selects rows of tables, and one operation over them (ours)."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.computation import Operation
from backtrail.state.decision import Decision, Part

QUERY_CHARACTERS = 4000


class ColumnView(Part):
    """A column: its name in queries, its header, and the values that the question's words occur in."""

    name: str
    header: str = ""
    kind: str = Field(default="text", description="text, number, date or range.")
    unit: str = ""
    unreadable: int = Field(default=0, description="Cells that say something else than a value of this kind.")
    matching: list[str] = Field(default_factory=list, description="Values in which words of the question occur.")


class TableView(Part):
    """A table as whoever writes the query sees it, with some of its rows."""

    name: str
    document: str
    caption: str = ""
    section: str = ""
    scale: str = Field(default="", description="What is said of all numbers, as 'in millions'.")
    rows: int
    totals: int = Field(default=0, description="Rows that sum up others.")
    columns: list[ColumnView]
    sample: list[list[str]]


class EarlierComputation(Part):
    """A computation of this run: what it asked, and what came of it."""

    question: str
    query: str
    operation: Operation
    result: str = ""
    error: str = ""


class ComputeInputs(Part):
    """What is to be computed, the tables that may be read, and the computations before."""

    question: str
    subtask: str
    tables: list[TableView]
    earlier: list[EarlierComputation] = Field(default_factory=list[EarlierComputation])


class ComputePlan(Part):
    """The query and the operation; an empty query where the tables cannot answer."""

    query: str = Field(default="", max_length=QUERY_CHARACTERS)
    operation: Operation = "count"
    others: list[str] = Field(default_factory=list[str], description="Names of tables that fit as well.")
    why: str = Field(default="", max_length=400)


def plan_fits(inputs: ComputeInputs, plan: ComputePlan) -> list[str]:
    """A query, or the reason why there is none; never one that failed before. Other tables are offered ones."""
    offered = sorted(table.name for table in inputs.tables)
    if unknown := [name for name in plan.others if name not in offered]:
        return [f'"others" names {unknown[0][:80]!r}, which is no table; tables are {offered}.']
    if not plan.query.strip():
        return [] if plan.why.strip() else ['Write a query, or say in "why" what the tables lack.']
    failed = [(one.query.strip(), one.operation) for one in inputs.earlier if one.error]
    repeated = (plan.query.strip(), plan.operation) in failed
    return ["This query with this operation has failed before; change it."] if repeated else []


COMPUTE = Decision("compute", ComputeInputs, ComputePlan, "planner", plan_fits)
