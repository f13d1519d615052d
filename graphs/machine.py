"""A state graph that a question is put to: what cannot be taken on is refused before its first checkpoint.

Nodes would be too late. LangGraph stores what a caller sends, whole, before the first of them runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.channels import EphemeralValue
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.typing import ContextT, InputT, OutputT, StateT

from backtrail.state.asked import check_asked


class Beginning(EphemeralValue[Any]):
    """The channel that takes what a caller sends."""

    def update(self, values: Sequence[Any]) -> bool:
        """Take it, unless it holds no question or more than the limits allow.

        Raises:
            InputRefused: nothing has been stored or computed then.
        """
        for value in values:
            if value:  # a drawing is made by writing nothing
                check_asked(value)
        return super().update(values)


class Machine(StateGraph[StateT, ContextT, InputT, OutputT]):
    """A method's graph."""

    def compile(self, *args: Any, **kwargs: Any) -> CompiledStateGraph[StateT, ContextT, InputT, OutputT]:
        """The machine that runs, as LangGraph compiles it, with a beginning that looks at what it is given."""
        compiled = super().compile(*args, **kwargs)
        beginning = Beginning(self.input_schema)
        beginning.key = START
        compiled.channels[START] = beginning
        return compiled
