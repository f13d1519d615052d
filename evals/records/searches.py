"""Searches: counts, seconds and outcomes of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backtrail.evals.planning_record import SEARCH_KINDS, SearchCounts
from backtrail.evals.records.record_kind import Kind, RecordValues
from backtrail.state.search import SearchRecord


def _kept(memory: Mapping[str, Any]) -> RecordValues:
    return {"searches": _counted(memory.get("searches", ()))}


def _counted(records: Sequence[SearchRecord]) -> dict[str, SearchCounts]:
    """Count searches by kind, without refused ones, which were never carried out."""
    counts: dict[str, SearchCounts] = {}
    for kind in SEARCH_KINDS:
        made = [record for record in records if record["kind"] == kind and record["outcome"] != "refused"]
        if made:
            counts[kind] = SearchCounts(
                searches=len(made),
                requests=sum(record["requests"] for record in made),
                seconds=round(sum(record["seconds"] for record in made), 4),
                empty=sum(record["outcome"] == "empty" for record in made),
                failed=sum(record["outcome"] == "failed" for record in made),
            )
    return counts


KIND = Kind(("searches",), _kept)
