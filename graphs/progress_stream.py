"""State graph that streams progress events, and answer tokens while they are written.

Events go to LangGraph's stream mode "custom" when a node has finished, tokens to "messages". Nodes need not know.
Events are made from the node's own slice of the state, and from evidence and ledger where the state has them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any, Self, cast, get_type_hints

from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.typing import ContextT, InputT, OutputT, StateT
from typing_extensions import TypedDict

from backtrail.graphs.human_approval import ask_people, with_decisions
from backtrail.graphs.streamed_answers import streaming_answer, with_stream_id
from backtrail.nodes.streaming.progress_events import progress

BESIDE = ("evidence", "usage", "subqueries", "approvals", "question")


class ProgressGraph(StateGraph[StateT, ContextT, InputT, OutputT]):
    """A state graph whose nodes stream progress."""

    def add_node(self, node: str, action: Any, **options: Any) -> Self:  # type: ignore[override]
        """Add a node under its name, as LangGraph does. A subgraph is added unchanged: its own nodes stream."""
        if inspect.isfunction(action):
            options = {"input_schema": _wider(action, cast("Any", self).state_schema), **options}
            action = _streaming(node, action)
        added: Any = super().add_node
        return added(node, action, **options)


def _streaming(name: str, node: Any) -> Any:
    if inspect.iscoroutinefunction(node):

        @functools.wraps(node)
        async def awaited(state: Any, runtime: Runtime[Any]) -> Any:
            state, decided, runtime = ask_people(name, state, runtime)
            with streaming_answer(name):
                writes = await node(state, runtime)
            return _stream_progress(name, state, with_decisions(decided, with_stream_id(writes)), runtime)

        return awaited

    @functools.wraps(node)
    def called(state: Any, runtime: Runtime[Any]) -> Any:
        state, decided, runtime = ask_people(name, state, runtime)
        return _stream_progress(name, state, with_decisions(decided, with_stream_id(node(state, runtime))), runtime)

    return called


def _stream_progress(name: str, before: Mapping[str, Any], writes: Any, runtime: Runtime[Any]) -> Any:
    if isinstance(writes, Mapping):
        for one in progress(name, before, cast("Mapping[str, Any]", writes)):
            runtime.stream_writer(one)
    return cast("Any", writes)


def _wider(node: Any, state: Any) -> type[Any]:
    """Extend the node's slice by the keys that progress events need."""
    read = next(iter(inspect.signature(node).parameters))
    slice_: Any = get_type_hints(node).get(read, state)
    fields: dict[str, Any] = get_type_hints(slice_, include_extras=True)
    hints = get_type_hints(state, include_extras=True)
    beside = {key: hints[key] for key in BESIDE if key in hints and key not in fields}
    wider: Any = TypedDict(f"{slice_.__name__}Watched", {**fields, **beside}, total=False)  # type: ignore[misc]
    return wider if beside else slice_
