"""FiF's memory: M = (question, subqueries, history), and the hop in the making."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.conversation import Answered
from backtrail.state.draft import Draft
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import Granularity, Hop, Reasoning, Route, Scored, Strategy, merge_hops
from backtrail.state.memory import Memory
from backtrail.state.path import Path
from backtrail.state.subquery import Subquery, merge_subqueries


class Proposal(TypedDict):
    """What is wanted next, before it is checked against the ledger.

    The orchestrator names modes, and an anchor by its step; the fused decision names the strategy itself and documents
    to start from, whichever steps found them. "advance" hands an opening by rules over to a model.
    """

    action: Literal["search", "replan", "stop", "advance"]
    subquery_id: str | None
    subtask: str
    document_mode: DocumentMode
    component_mode: ComponentMode
    anchor: int | None
    anchor_documents: list[str]
    granularity: Granularity
    why: str
    strategy: NotRequired[Strategy]


class HopInProgress(TypedDict):
    """The hop between its stages: the route as admitted, then what each stage found."""

    route: Route
    documents: list[Scored]
    components: list[Scored]
    parents: dict[str, Path]


class JudgedOpening(TypedDict):
    """What the first fused decision made of all that the opening by rules had found."""

    success: bool
    reason: str
    relevant: list[str]


class FifState(Memory, total=False):
    """Everything a run of FiF remembers."""

    hops: Annotated[list[Hop], merge_hops]
    proposal: Proposal
    hop: HopInProgress | None
    fused: bool
    """One decision judges a hop and proposes the next: ours, with a model, once the opening by rules is over."""
    marked: list[str]
    """Components marked relevant by the fused decision, the most important first."""
    draft: Draft | None
    opening: JudgedOpening | None
    """None until a fused decision has seen what the opening found."""


def selects(state: FifState) -> Reasoning:
    """The reasoning that chooses from the hop's shortlists before it is judged; none once one decision does both."""
    hop = state.get("hop")
    return hop["route"]["strategy"]["reasoning"] if hop and not state.get("fused") else "none"


class FifAnswered(Answered, total=False):
    """What a caller of FiF gets back: the common outcome, with the plan and the whole history."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]
