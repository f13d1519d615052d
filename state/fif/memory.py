"""FiF's memory: M = (question, subqueries, history), and the hop in the making."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from backtrail.state.conversation import Answered
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import Granularity, Hop, Route, Scored, merge_hops
from backtrail.state.memory import Memory
from backtrail.state.path import Path
from backtrail.state.subquery import Subquery, merge_subqueries


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


class FifState(Memory, total=False):
    """Everything a run of FiF remembers."""

    hops: Annotated[list[Hop], merge_hops]
    proposal: Proposal
    hop: HopInProgress | None


class FifAnswered(Answered, total=False):
    """What a caller of FiF gets back: the common outcome, with the plan and the whole history."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]
