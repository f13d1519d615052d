"""The protocols of nodes: read a slice of the state, return exactly the keys to write."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from langgraph.runtime import Runtime

from backtrail.state.settings import Settings

Slice = TypeVar("Slice", contravariant=True)
Writes = TypeVar("Writes", covariant=True)


class SyncNode(Protocol[Slice, Writes]):
    """Node with CPU work or blocking stores: LangGraph runs it in a thread."""

    def __call__(self, state: Slice, runtime: Runtime[Settings]) -> Writes:
        """Run one step."""
        ...


class AsyncNode(Protocol[Slice, Writes]):
    """Node with decisions or other waiting: must not block the event loop."""

    def __call__(self, state: Slice, runtime: Runtime[Settings]) -> Coroutine[Any, Any, Writes]:
        """Run one step."""
        ...
