# langgraph.graph ships without type information of its own
# pyright: reportMissingTypeStubs=false
"""The VQA planning agent's memory: the path, the gold query, and what its searches found (section 3.3)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

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
from backtrail.state.vqa_planner.decisions import PathOption


class ChosenPath(TypedDict):
    """The planner's choice, and the path that runs.

    ``planned`` is None where nobody was asked (a fixed path, a reached ceiling) or nothing valid was
    replied. ``option`` and its ``category`` are what runs: another than planned where that cannot run.
    ``probabilities`` are those of the four letters, empty where the decider gave none.
    """

    planned: PathOption | None
    option: PathOption
    category: Literal["c1", "c2", "c3", "c4"]
    probabilities: dict[str, float]
    why: str


class VqaPlannerState(TypedDict, total=False):
    """Everything a run remembers. ``queries`` holds the gold query; subqueries stay empty: the reader has the key."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None
    subqueries: Annotated[list[Subquery], merge_subqueries]
    path: ChosenPath | None
    queries: list[str]
    searches: Annotated[list[SearchRecord], merge_searches]
    evidence: Annotated[dict[str, Evidence], keep_best]
    ranking: list[Scored]
    answer: Answer
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class VqaPlannerAnswered(Answered, total=False):
    """The common outcome, with the path, the gold query and every search."""

    path: ChosenPath | None
    queries: list[str]
    searches: Annotated[list[SearchRecord], merge_searches]


EMPTY_MEMORY: dict[str, Any] = {
    "subqueries": [], "path": None, "queries": [], "searches": Overwrite([]), "evidence": Overwrite({}),
    "usage": Overwrite({}), "failures": Overwrite([]), "ranking": [], "stop_reason": "",
}  # fmt: skip
"""What the next question of a thread starts from; Overwrite goes around the reducers."""
