"""IRCoT's memory: the chain of thought, and the retrievals of its sentences."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from backtrail.state.conversation import MethodOutput
from backtrail.state.hop import Hop, merge_hops
from backtrail.state.memory import Memory


class Thought(TypedDict):
    """One sentence of the chain, and whether it states the answer. Steps are numbered from 0."""

    step: int
    text: str
    answered: bool


def merge_thoughts(current: list[Thought], new: list[Thought]) -> list[Thought]:
    """Reducer: one thought per step, in order; a step seen again replaces its thought."""
    by_step = {thought["step"]: thought for thought in [*current, *new]}
    return [by_step[step] for step in sorted(by_step)]


class IrcotState(Memory, total=False):
    """State of an IRCoT run."""

    thoughts: Annotated[list[Thought], merge_thoughts]
    hops: Annotated[list[Hop], merge_hops]


class IrcotAnswered(MethodOutput, total=False):
    """Output of IRCoT: the common output with the chain of thought and its retrievals."""

    thoughts: Annotated[list[Thought], merge_thoughts]
    hops: Annotated[list[Hop], merge_hops]
