"""A summary by map and reduce: the parts of documents, the points that each part says, and how much was read."""

from __future__ import annotations

from typing_extensions import TypedDict

from backtrail.state.computation import RowRanges
from backtrail.state.usage import Charge


class CitedPlace(TypedDict):
    """A component, and its row or sentence if one is meant."""

    component: str
    row: int | None
    sentence: int | None


class Point(TypedDict):
    """What a part says in one sentence or two, with its sources."""

    text: str
    citations: list[CitedPlace]


class SummaryPart(TypedDict):
    """Consecutive rows and sentences of documents, by reference. ``name`` is their titles."""

    number: int
    name: str
    pieces: list[RowRanges]


class Summary(TypedDict):
    """What is summarised, and how much of it was read.

    Of the ``total`` parts, ``read`` ones gave points or had none to give, ``failed`` ones have a recorded failure, and
    ``left_out`` ones do not fit the budget. ``names`` name those that were not read. ``error`` is empty unless it
    failed.
    """

    target: str
    total: int
    read: int
    failed: int
    left_out: int
    names: list[str]
    error: str


class SummaryInProgress(TypedDict):
    """A summary whose parts are read: those that fit the budget, of how many, and the names of the others."""

    step: int
    target: str
    subtask: str
    parts: list[SummaryPart]
    total: int
    left_out: list[str]


class PartTask(TypedDict):
    """One part to read, with its share of the budget."""

    question: str
    subtask: str
    step: int
    part: SummaryPart
    of: int
    spent: dict[str, Charge]


class PartPoints(TypedDict):
    """The points of a part; without ``read`` it failed."""

    step: int
    part: int
    read: bool
    points: list[Point]


def merge_parts(current: list[PartPoints], new: list[PartPoints]) -> list[PartPoints]:
    """Reducer: one entry per part of a step, in order; a part read again replaces its entry."""
    by_part = {(one["step"], one["part"]): one for one in [*current, *new]}
    return [by_part[key] for key in sorted(by_part)]


def counts(summary: Summary) -> str:
    """Return ``6 of 9 parts of “guide/*” read; not read: 7 (Setup), 8 (API)``."""
    names = f"; not read: {', '.join(summary['names'])}" if summary["names"] else ""
    return f"{summary['read']} of {summary['total']} parts of “{summary['target']}” read{names}"
