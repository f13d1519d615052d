"""The trail of a run, as results keep it: the records of its method, cut short, in a file beside the outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.graphs.method import Method

CHARACTERS, ENTRIES, DEPTH = 400, 40, 8
"""What is kept of a text and of a list, and how deep: a trail is looked at, it is not the evidence."""


def trail_of(method: Method, state: Mapping[str, Any]) -> dict[str, Any]:
    """The records that the method shows, by the key of the memory; kinds of which there are none are left out."""
    return {key: _short(state[key], DEPTH) for key in method.records if state.get(key)}


def _short(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= CHARACTERS else value[: CHARACTERS - 1] + "…"
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): _short(held, depth - 1) for key, held in list(value.items())[:ENTRIES]}
    if isinstance(value, list | tuple | set | frozenset):
        return [_short(held, depth - 1) for held in list(value)[:ENTRIES]]
    return _short(str(value), depth)
