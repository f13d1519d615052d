"""Trail of a run: the abridged records of its method, stored in a file beside the outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.graphs.method import Method

CHARACTERS, ENTRIES, DEPTH = 400, 40, 8
"""Limits of a text, a list and the nesting: a trail is for inspection."""


def trail_of(method: Method, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the records that the method shows, by key of the state; empty ones are left out."""
    return {key: _short(state[key], DEPTH) for key in method.records if state.get(key)}


def _short(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= CHARACTERS else value[: CHARACTERS - 1] + "…"
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): _short(item, depth - 1) for key, item in list(value.items())[:ENTRIES]}
    if isinstance(value, list | tuple | set | frozenset):
        return [_short(item, depth - 1) for item in list(value)[:ENTRIES]]
    return _short(str(value), depth)
