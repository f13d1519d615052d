# langgraph.graph ships without type information of its own
# pyright: reportMissingTypeStubs=false
"""IRCoT's memory: the chain of thought, and what each of its sentences retrieved."""

from __future__ import annotations

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from backtrail.state.answer import Answer
from backtrail.state.conversation import Answered
from backtrail.state.evidence import Evidence, keep_best
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.hop import Hop, Scored, merge_hops
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.usage import Charge, merge_charges


class Thought(TypedDict):
    """One sentence of the chain, and whether it states the answer. Steps are numbered from 0."""

    step: int
    text: str
    answered: bool


def merge_thoughts(held: list[Thought], new: list[Thought]) -> list[Thought]:
    """Reducer: one thought per step, in order; a step seen again replaces its thought."""
    by_step = {thought["step"]: thought for thought in [*held, *new]}
    return [by_step[step] for step in sorted(by_step)]


class IrcotState(TypedDict, total=False):
    """Everything a run of IRCoT remembers. Subqueries stay empty: the reader expects the key."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None
    subqueries: Annotated[list[Subquery], merge_subqueries]
    thoughts: Annotated[list[Thought], merge_thoughts]
    hops: Annotated[list[Hop], merge_hops]
    evidence: Annotated[dict[str, Evidence], keep_best]
    ranking: list[Scored]
    answer: Answer
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class IrcotAnswered(Answered, total=False):
    """The common outcome, with the chain of thought and its retrievals."""

    thoughts: Annotated[list[Thought], merge_thoughts]
    hops: Annotated[list[Hop], merge_hops]


EMPTY_MEMORY: dict[str, Any] = {
    "subqueries": [], "thoughts": Overwrite([]), "hops": Overwrite([]), "evidence": Overwrite({}),
    "usage": Overwrite({}), "failures": Overwrite([]), "ranking": [], "stop_reason": "",
}  # fmt: skip
"""What the next question of a thread starts from; Overwrite goes around the reducers."""
