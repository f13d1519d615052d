"""Rounds: the action of each, the queries of the last, and whether both were decided in parallel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.evals.planning_record import short_queries
from backtrail.evals.records.record_kind import Kind, RecordValues


def _kept(memory: Mapping[str, Any]) -> RecordValues:
    return {
        "actions": tuple(one["action"] for one in memory.get("rounds", ())),
        "queries": short_queries(memory.get("queries")),
        "side_by_side": memory.get("paradigm") == "parallel",
    }


KIND = Kind(("rounds", "queries", "paradigm"), _kept)
