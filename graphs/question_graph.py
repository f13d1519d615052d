"""The state graph of a method: checks its input before the first checkpoint, streams its progress.

What cannot be taken on is refused before the first checkpoint, and pictures are kept outside of it. Nodes would be too
late: LangGraph stores what a caller sends, whole, before the first of them runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from langgraph.channels import EphemeralValue
from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph
from langgraph.typing import ContextT, InputT, OutputT, StateT

from backtrail.graphs.progress_stream import ProgressGraph
from backtrail.graphs.serving.accept_question import taken
from backtrail.graphs.serving.policy_gate import PolicyGate
from backtrail.nodes.streaming.small_talk import AT_ONCE


class CheckedInput(EphemeralValue[Any]):
    """The channel that takes what a caller sends."""

    def update(self, values: Sequence[Any]) -> bool:
        """Take it, unless it holds no question or more than the limits allow; pictures are kept elsewhere.

        Raises:
            InputRefused: nothing has been stored or computed then.
        """
        return super().update([taken(value) if value else value for value in values])


def onward(state: Mapping[str, Any]) -> Literal["a question", "told at once"]:
    """Whether there is a question to answer yet."""
    return AT_ONCE if state.get("stop_reason") == AT_ONCE else "a question"


class QuestionGraph(ProgressGraph[StateT, ContextT, InputT, OutputT]):
    """A method's graph: its nodes are watched, and its beginning looks at what it is given."""

    def begin_with(self, contextualize: Any, *, then: str) -> Self:
        """Every turn begins with the node ``contextualize``; a question goes on, what is answered at once ends there.

        Args:
            then: the node that a question goes on to.
        """
        self.add_node("contextualize", contextualize)
        self.add_edge(START, "contextualize")
        return self.add_conditional_edges("contextualize", onward, {"a question": then, "told at once": END})

    def compile(self, *args: Any, **kwargs: Any) -> CompiledStateGraph[StateT, ContextT, InputT, OutputT]:
        """The graph that runs, as LangGraph compiles it; before it stand the policy and a look at its input."""
        compiled = super().compile(*args, **kwargs)
        beginning = CheckedInput(self.input_schema)
        beginning.key = START
        compiled.channels[START] = beginning
        return PolicyGate(**vars(compiled))  # as LangGraph copies a graph
