"""LangChain callbacks that report nodes to observers, also nodes of subgraphs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler

from backtrail.state.usage import Charge, total_usage
from backtrail.tools.observability.run import Ended, ObservedNode, ObservedRun, Observer

_LOG = logging.getLogger(__name__)


class NodeCallbacks(AsyncCallbackHandler):
    """Notifies observers of one run. Errors of an observer do not end the run."""

    def __init__(self, run: ObservedRun, observers: Sequence[Observer]) -> None:
        self._run, self._observers = run, observers
        self._open: dict[UUID, tuple[str, int, float]] = {}

    async def began(self) -> None:
        """The run begins."""
        await self._notify(lambda observer: observer.began(self._run))

    async def ended(self, how: Ended, error: str) -> None:
        """The run ended."""
        await self._notify(lambda observer: observer.ended(self._run, how, error))

    async def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A node begins. Routers and graphs are recognized by a name that differs from their node."""
        known = metadata or {}
        if (name := known.get("langgraph_node")) and kwargs.get("name") == name:
            self._open[run_id] = (str(name), int(known.get("langgraph_step") or 0), time.time())

    async def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A node ended, with the charges of its update."""
        await self._closed(run_id, _charges(outputs), "")

    async def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A node failed."""
        await self._closed(run_id, {}, type(error).__name__)

    async def _closed(self, run_id: UUID, charges: dict[str, Charge], error: str) -> None:
        if (opened := self._open.pop(run_id, None)) is None:
            return
        name, step, began = opened
        new = {id_: one for id_, one in charges.items() if self._run.charges.get(id_) != one}
        self._run.charges.update(new)
        # a subgraph's node repeats the charges of its inner nodes: report them once
        node = ObservedNode(name, step, began, time.time(), total_usage(new), tuple(new), error)
        await self._notify(lambda observer: observer.node(self._run, node))

    async def _notify(self, notify: Callable[[Observer], None]) -> None:
        await asyncio.to_thread(self._notify_all, notify)

    def _notify_all(self, notify: Callable[[Observer], None]) -> None:
        for observer in self._observers:
            try:
                notify(observer)
            except Exception:  # noqa: BLE001 - a run does not fail because it cannot be observed
                _LOG.exception("Run %s could not be reported to %s", self._run.run, type(observer).__name__)


def _charges(outputs: Any) -> dict[str, Charge]:
    """The charges of a node's update or updates."""
    several: list[Any] = list(cast("list[Any]", outputs)) if isinstance(outputs, list) else [outputs]
    found: dict[str, Charge] = {}
    for one in several:
        update: Any = getattr(one, "update", None) if not isinstance(one, Mapping) else one
        usage: Any = cast("Mapping[str, Any]", update).get("usage") if isinstance(update, Mapping) else None
        if isinstance(usage, Mapping):
            charges = cast("Mapping[str, Charge]", usage)
            found.update({str(id_): one for id_, one in charges.items() if isinstance(one, Mapping) and "calls" in one})
    return found
