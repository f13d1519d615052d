"""What results keep of one kind of record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from backtrail.evals.planning_graph_growth import PlanningGraphGrowth
from backtrail.evals.planning_record import SearchCounts


class Kept(TypedDict, total=False):
    """What a kind of record gives to an outcome; see the fields of ``Outcome`` and ``Planned``."""

    hops: int
    actions: tuple[str, ...]
    path: str
    queries: tuple[str, ...]
    searches: dict[str, SearchCounts]
    side_by_side: bool
    grown: PlanningGraphGrowth


@dataclass(frozen=True)
class Kind:
    """One kind of record.

    Args:
        keys: of the memory, that are read.
        kept: reads the memory of a run that ended.
    """

    keys: tuple[str, ...]
    kept: Callable[[Mapping[str, Any]], Kept]
