# langgraph.graph ships without type information of its own
# pyright: reportMissingTypeStubs=false
"""LILaC's memory: the subqueries, and the ends of the edges in the beam."""

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


class LilacState(TypedDict, total=False):
    """Everything a run of LILaC remembers. The frontier are ids of components that the next iteration starts from."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None
    subqueries: Annotated[list[Subquery], merge_subqueries]
    frontier: list[str]
    hops: Annotated[list[Hop], merge_hops]
    evidence: Annotated[dict[str, Evidence], keep_best]
    ranking: list[Scored]
    answer: Answer
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class LilacAnswered(Answered, total=False):
    """The common outcome, with the subqueries and a hop for the seeds and each iteration."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]


EMPTY_MEMORY: dict[str, Any] = {
    "subqueries": Overwrite([]), "hops": Overwrite([]), "evidence": Overwrite({}), "usage": Overwrite({}),
    "failures": Overwrite([]), "frontier": [], "ranking": [], "stop_reason": "",
}  # fmt: skip
"""What the next question of a thread starts from; Overwrite goes around the reducers."""
