from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, Self

from langgraph.pregel import Pregel
from langgraph.types import RetryPolicy
from langgraph.typing import ContextT, InputT, OutputT, StateT

class CompiledStateGraph(Pregel[StateT, ContextT, InputT, OutputT]):
    channels: dict[str, Any]

class StateGraph(Generic[StateT, ContextT, InputT, OutputT]):
    input_schema: type[InputT]
    def __init__(
        self,
        state_schema: type[StateT],
        context_schema: type[ContextT] | None = None,
        *,
        input_schema: type[InputT] | None = None,
        output_schema: type[OutputT] | None = None,
    ) -> None: ...
    def add_node(
        self, node: str, action: Any, *, retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None
    ) -> Self: ...
    def add_edge(self, start_key: str | list[str], end_key: str) -> Self: ...
    def add_conditional_edges(
        self,
        source: str,
        path: Callable[..., Hashable | Sequence[Hashable] | Awaitable[Hashable | Sequence[Hashable]]],
        path_map: Mapping[Any, str] | list[str] | None = None,
    ) -> Self: ...
    def compile(
        self, checkpointer: Any = None, *, name: str | None = None, **options: Any
    ) -> CompiledStateGraph[StateT, ContextT, InputT, OutputT]: ...
