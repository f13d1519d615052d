# langgraph.graph ships without type information of its own
# pyright: reportMissingTypeStubs=false
"""FiF's memory: M = (question, subqueries, history), and the hop in the making."""

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
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import Granularity, Hop, Route, Scored, merge_hops
from backtrail.state.path import Path
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.usage import Charge, merge_charges


class Proposal(TypedDict):
    """What the orchestrator wants next, in the words of its prompt, before it is checked against the ledger."""

    action: Literal["search", "replan", "stop"]
    subquery_id: str | None
    subtask: str
    document_mode: DocumentMode
    component_mode: ComponentMode
    anchor: int | None
    anchor_documents: list[str]
    granularity: Granularity
    why: str


class HopInProgress(TypedDict):
    """The hop between its stages: the route as admitted, then what each stage found."""

    route: Route
    documents: list[Scored]
    components: list[Scored]
    parents: dict[str, Path]


class FifState(TypedDict, total=False):
    """Everything a run of FiF remembers. Contents and pixels stay in the corpus."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None
    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]
    evidence: Annotated[dict[str, Evidence], keep_best]
    proposal: Proposal
    hop: HopInProgress | None
    ranking: list[Scored]
    answer: Answer
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class FifAnswered(Answered, total=False):
    """What a caller of FiF gets back: the common outcome, with the plan and the whole history."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]


EMPTY_MEMORY: dict[str, Any] = {
    "subqueries": Overwrite([]), "hops": Overwrite([]), "evidence": Overwrite({}),
    "usage": Overwrite({}), "failures": Overwrite([]), "hop": None, "ranking": [], "stop_reason": "",
}  # fmt: skip
"""What the next question of a thread starts from. Keys with a reducer would carry the last question's
values over; Overwrite goes around the reducer (on other keys it would be stored as it is)."""
