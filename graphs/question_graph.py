"""The state graph of a method: checks its input before the first checkpoint, streams its progress.

Input is refused and pictures are moved out before the first checkpoint: LangGraph stores a caller's whole input before
the first node runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from langgraph.channels import EphemeralValue
from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph
from langgraph.typing import ContextT, InputT, OutputT, StateT

from backtrail.graphs.progress_stream import ProgressGraph
from backtrail.graphs.serving.accept_question import accept
from backtrail.graphs.serving.policy_gate import PolicyGate
from backtrail.nodes.streaming.small_talk import AT_ONCE


class CheckedInput(EphemeralValue[Any]):
    """The channel for a caller's input."""

    def update(self, values: Sequence[Any]) -> bool:
        """Accept input with a question within the limits; pictures are stored elsewhere.

        Raises:
            InputRefused: nothing was stored or computed.
        """
        return super().update([accept(value) if value else value for value in values])


def onward(state: Mapping[str, Any]) -> Literal["a question", "answered at once"]:
    """Return whether there is still a question to answer."""
    return AT_ONCE if state.get("stop_reason") == AT_ONCE else "a question"


class QuestionGraph(ProgressGraph[StateT, ContextT, InputT, OutputT]):
    """A method's graph: its nodes stream progress, and its input is checked."""

    def begin_with(self, contextualize: Any, *, then: str) -> Self:
        """Begin every turn with the node ``contextualize``; small talk ends there.

        Args:
            then: the node that a question is routed to.
        """
        self.add_node("contextualize", contextualize)
        self.add_edge(START, "contextualize")
        return self.add_conditional_edges("contextualize", onward, {"a question": then, "answered at once": END})

    def compile(self, *args: Any, **kwargs: Any) -> CompiledStateGraph[StateT, ContextT, InputT, OutputT]:
        """Compile as LangGraph does, with the policy and the check of the input in front."""
        compiled = super().compile(*args, **kwargs)
        beginning = CheckedInput(self.input_schema)
        beginning.key = START
        compiled.channels[START] = beginning
        return PolicyGate(**vars(compiled))  # as LangGraph copies a graph
