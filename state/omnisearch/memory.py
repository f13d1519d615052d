# langgraph.graph ships without type information of its own
# pyright: reportMissingTypeStubs=false
"""OmniSearch's memory: its turns, and everything that their searches found."""

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
from backtrail.state.omnisearch.decisions import OmniAction
from backtrail.state.search import SearchRecord, SearchTask, merge_searches
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.usage import Charge, merge_charges


class Turn(TypedDict):
    """One step of the loop; its search is the record of round ``index``. Turns count from 1."""

    index: int
    thought: str
    subquestion: str
    action: OmniAction
    query: str


def merge_turns(held: list[Turn], new: list[Turn]) -> list[Turn]:
    """Reducer: one record per turn, in order; a turn seen again replaces its record."""
    by_index = {turn["index"]: turn for turn in [*held, *new]}
    return [by_index[index] for index in sorted(by_index)]


class OmniSearchState(TypedDict, total=False):
    """Everything a run remembers. Subqueries stay empty: the reader expects the key."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None
    subqueries: Annotated[list[Subquery], merge_subqueries]
    task: SearchTask | None
    turns: Annotated[list[Turn], merge_turns]
    searches: Annotated[list[SearchRecord], merge_searches]
    evidence: Annotated[dict[str, Evidence], keep_best]
    ranking: list[Scored]
    answer: Answer
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class OmniSearchAnswered(Answered, total=False):
    """The common outcome, with the turns and every search."""

    turns: Annotated[list[Turn], merge_turns]
    searches: Annotated[list[SearchRecord], merge_searches]


EMPTY_MEMORY: dict[str, Any] = {
    "subqueries": [], "task": None, "turns": Overwrite([]), "searches": Overwrite([]), "evidence": Overwrite({}),
    "usage": Overwrite({}), "failures": Overwrite([]), "ranking": [], "stop_reason": "",
}  # fmt: skip
"""What the next question of a thread starts from; Overwrite goes around the reducers."""
