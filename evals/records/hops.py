"""Hops: the number of traversals, without refused ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.evals.records.record_kind import Kind, RecordValues


def _kept(memory: Mapping[str, Any]) -> RecordValues:
    hops = memory.get("hops", ())
    return {"hops": sum(1 for hop in hops if hop["kind"] == "traverse" and hop["outcome"] != "refused")}


KIND = Kind(("hops",), _kept)
