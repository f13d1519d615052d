"""The server's policy, applied when a run starts.

Runs refused at creation never get here; one created under another policy, or resumed after a crash, is checked against
the current one. A running run takes turns with others of its process, and survives an outage of Postgres.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from copy import deepcopy
from typing import Any, TypeVar, cast
from uuid import uuid4
from weakref import WeakKeyDictionary

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.typing import ContextT, InputT, OutputT, StateT

from backtrail.graphs.methods import METHODS
from backtrail.graphs.serving.accept_question import accept_in_thread
from backtrail.graphs.serving.forms import described, form_of
from backtrail.state.errors import BacktrailError
from backtrail.state.settings import Settings
from backtrail.tools.access.run_owner import run_owner
from backtrail.tools.access.run_slots import turns
from backtrail.tools.access.serving import serving
from backtrail.tools.access.start_run import begin, check_holder
from backtrail.tools.access.thread_owner import OWNER
from backtrail.tools.checkpoints.retry_checkpointer import RetryingCheckpointer
from backtrail.tools.checkpoints.retry_outages import retrying_outages
from backtrail.tools.crashes import crashes_as_errors
from backtrail.tools.home_errors import home_error
from backtrail.tools.observability.callbacks import NodeCallbacks
from backtrail.tools.observability.observers import observers
from backtrail.tools.observability.run import ObservedRun
from backtrail.tools.run_coroutine import iterate

_WITHIN = "__pregel_task_id"
"""Config key of a graph that runs as a node of another, whose run passed the gate already."""


M = TypeVar("M", bound="PolicyGate[Any, Any, Any, Any]")

_LOOKS_EVERY = 1.0
"""Seconds between two checks whether the owner of a run still has a key (ours)."""


class PolicyGate(CompiledStateGraph[StateT, ContextT, InputT, OutputT]):
    """A method's graph under the server's policy."""

    def get_context_jsonschema(self) -> dict[str, Any] | None:
        """Return the settings of this method, as forms offer them."""
        schema: dict[str, Any] | None = _made_once(self, super().get_context_jsonschema)
        return form_of(METHODS[self.name], schema) if schema and self.name in METHODS else schema

    def get_input_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:
        """Return the input schema with descriptions."""
        return described(_made_once(self, super().get_input_jsonschema))

    def get_output_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:
        """Return the output schema."""
        return _made_once(self, super().get_output_jsonschema)

    async def astream(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, input: Any, config: RunnableConfig | None = None, *, context: Any = None, **options: Any
    ) -> AsyncGenerator[Any]:
        """Stream as LangGraph does; on a server with the settings that the policy allows, and observed.

        Raises:
            PolicyRefused, CorpusNotFound: the owner may not use these settings.
            HomeUnusable: nothing can be written, as when the disk is full.
        """
        if not _by_others(config):
            input = await accept_in_thread(input)
            stream = cast("Any", super()).astream(input, config, context=context, **options)
            async with aclosing(stream):
                async for chunk in stream:
                    yield chunk
            return
        run = _run(self.name, config)
        observed = self._observed(run, input, config, context, options)
        try:
            async with turns().held(run.owner), aclosing(observed) as chunks:
                async for chunk in chunks:
                    yield chunk
                    await turns().give_way(run.owner)
        except Exception as error:
            if not isinstance(error, BacktrailError) and (trouble := await asyncio.to_thread(home_error, error)):
                raise trouble from error
            raise

    async def _observed(
        self, run: ObservedRun, input: Any, config: RunnableConfig | None, context: Any, options: Mapping[str, Any]
    ) -> AsyncGenerator[Any]:
        """Stream the run with observers; end it when its key is revoked, continue it after an outage."""
        settings = await retrying_outages(lambda: asyncio.to_thread(self._begin, run, context))
        callbacks = NodeCallbacks(run, observers())
        observed = merge_configs(
            config, {"callbacks": [callbacks], "metadata": {OWNER: run.owner} if run.owner else {}}
        )
        graph = _with_retries(self)
        if input is not None and await _was_interrupted(graph, run, config):
            input = None
        await callbacks.began()
        try:
            input = await accept_in_thread(input)
            looked = time.monotonic()
            stream = cast("Any", super(PolicyGate, graph)).astream(input, observed, context=settings, **options)
            with crashes_as_errors():  # the server does not close runs that raise a BaseException
                async for chunk in stream:
                    yield chunk
                    if time.monotonic() - looked > _LOOKS_EVERY:
                        await asyncio.to_thread(check_holder, run.owner)
                        looked = time.monotonic()
        except (asyncio.CancelledError, GeneratorExit):
            await asyncio.shield(callbacks.ended("cancelled", ""))
            raise
        except BaseException as error:
            await callbacks.ended("failed", type(error).__name__)
            raise
        else:
            await callbacks.ended("done", "")

    def _begin(self, run: ObservedRun, context: Any) -> Any:
        """Return the context of the run if the policy allows it. Blocking."""
        return begin(run, _sent(context))

    def stream(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, input: Any, config: RunnableConfig | None = None, *, context: Any = None, **options: Any
    ) -> Iterator[Any]:
        """Stream synchronously; ``invoke`` uses it too."""
        return iterate(self.astream(input, config, context=context, **options))


_schemas: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def _made_once(graph: Any, make: Callable[[], Any]) -> Any:
    """Return a copy of what ``make`` returned first: Pydantic is slow, and a list of tools needs every schema.

    The server copies a graph for each request; the builder stays.
    """
    made = _schemas.setdefault(graph.builder, {})
    if make.__name__ not in made:
        made[make.__name__] = make()
    return deepcopy(made[make.__name__])


def _by_others(config: RunnableConfig | None) -> bool:
    return serving() and _WITHIN not in (config or {}).get("configurable", {})


def _run(method: str, config: RunnableConfig | None) -> ObservedRun:
    """Describe a run by the server's own config, which clients cannot set."""
    configurable: Mapping[str, Any] = (config or {}).get("configurable", {})
    marks: Mapping[str, Any] = (config or {}).get("metadata", {})
    return ObservedRun(
        run=str(configurable.get("run_id") or (config or {}).get("run_id") or uuid4()),
        thread=str(configurable.get("thread_id") or ""),
        owner=run_owner(config),
        method=method,
        assistant=str(configurable.get("assistant_id") or marks.get("assistant_id") or ""),
    )


def _with_retries(graph: M) -> M:
    """Return the graph with checkpoints that retry during an outage of their database."""
    saver = cast("Any", graph).checkpointer
    if not isinstance(saver, BaseCheckpointSaver) or isinstance(saver, RetryingCheckpointer):
        return graph
    return graph.copy({"checkpointer": RetryingCheckpointer(cast("BaseCheckpointSaver[Any]", saver))})


async def _was_interrupted(graph: Any, run: ObservedRun, config: RunnableConfig | None) -> bool:
    """Return whether this run already has a checkpoint, so its process died while it was running.

    LangGraph's server resumes such a run without its input; aegra sends it again, which would pay for all of it twice.
    A run that was complete when the server died has nothing left to do.
    """
    if not isinstance(graph.checkpointer, BaseCheckpointSaver):
        return False
    snapshot = await graph.aget_state(config)
    return cast("Mapping[str, Any]", snapshot.metadata or {}).get("run_id") == run.run


def _sent(context: Any) -> Mapping[str, Any]:
    if isinstance(context, Settings):  # a program that runs graphs for its own clients
        return context.model_dump(mode="json")
    return cast("Mapping[str, Any]", context) if isinstance(context, Mapping) else {}
