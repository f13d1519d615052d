"""Path of the VQA planner: its class and its reformulated queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.evals.planning_record import short_queries
from backtrail.evals.records.record_kind import Kind, RecordValues


def _kept(memory: Mapping[str, Any]) -> RecordValues:
    path = memory.get("path")
    return {"path": str(path["category"]) if path else "", "queries": short_queries(memory.get("queries"))}


KIND = Kind(("path", "queries"), _kept)
