"""Turns: the action of each, under the names of actions of rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.evals.records.record_kind import Kind, RecordValues
from backtrail.state.omnisearch.decisions import OmniAction
from backtrail.state.planned_search import SearchAction

_ACTIONS: Mapping[OmniAction, SearchAction] = {
    "search text": "text search",
    "search by picture": "image search",
    "search pictures": "image search",
    "final answer": "no search",
}


def _kept(memory: Mapping[str, Any]) -> RecordValues:
    return {"actions": tuple(_ACTIONS[one["action"]] for one in memory.get("turns", ()))}


KIND = Kind(("turns",), _kept)
