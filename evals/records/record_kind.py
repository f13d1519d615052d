"""Protocol of the files in this folder: what one kind of record contributes to an outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from backtrail.evals.planning_graph_growth import PlanningGraphGrowth
from backtrail.evals.planning_record import SearchCounts


class RecordValues(TypedDict, total=False):
    """Values for the fields of ``Outcome`` and ``Planned``."""

    hops: int
    actions: tuple[str, ...]
    path: str
    queries: tuple[str, ...]
    searches: dict[str, SearchCounts]
    side_by_side: bool
    growth: PlanningGraphGrowth


@dataclass(frozen=True)
class Kind:
    """One kind of record.

    Args:
        keys: keys of the state that ``kept`` reads.
        kept: extracts the values from the final state of a run.
    """

    keys: tuple[str, ...]
    kept: Callable[[Mapping[str, Any]], RecordValues]
