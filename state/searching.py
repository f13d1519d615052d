# langgraph.graph ships without type information of its own
# pyright: reportMissingTypeStubs=false
"""The memory of methods that search the web once, or not at all, and then answer."""

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
from backtrail.state.hop import Scored
from backtrail.state.search import SearchRecord, merge_searches
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.usage import Charge, merge_charges


class SearchingState(TypedDict, total=False):
    """Everything such a run remembers. Subqueries stay empty: the reader expects the key."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None
    subqueries: Annotated[list[Subquery], merge_subqueries]
    searches: Annotated[list[SearchRecord], merge_searches]
    evidence: Annotated[dict[str, Evidence], keep_best]
    ranking: list[Scored]
    answer: Answer
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class SearchingAnswered(Answered, total=False):
    """The common outcome, with every search."""

    searches: Annotated[list[SearchRecord], merge_searches]


EMPTY_MEMORY: dict[str, Any] = {
    "subqueries": [], "searches": Overwrite([]), "evidence": Overwrite({}), "usage": Overwrite({}),
    "failures": Overwrite([]), "ranking": [], "stop_reason": "single-shot",
}  # fmt: skip
"""What the next question of a thread starts from; Overwrite goes around the reducers."""
