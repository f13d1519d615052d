"""FiF's memory: M = (question, subqueries, history), and the hop in progress."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.conversation import MethodOutput
from backtrail.state.draft import Draft
from backtrail.state.evidence import Evidence, keep_best
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.gathering import GatherRequest
from backtrail.state.hop import Granularity, Hop, Reasoning, Route, Scored, Strategy, merge_hops
from backtrail.state.memory import Memory
from backtrail.state.path import Path
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.summary import PartPoints, SummaryInProgress, merge_parts
from backtrail.state.usage import Charge, merge_charges


class Proposal(TypedDict):
    """The next action, before it is checked against the failed routes.

    The orchestrator names modes, and an anchor by its step; the fused decision names the strategy and the documents to
    start from, of whichever step. "advance" passes from the opening by rules to a model.
    """

    action: Literal["search", "compute", "gather", "summarise", "replan", "stop", "advance"]
    subquery_id: str | None
    subtask: str
    document_mode: DocumentMode
    component_mode: ComponentMode
    anchor: int | None
    anchor_documents: list[str]
    granularity: Granularity
    why: str
    strategy: NotRequired[Strategy]
    tables: NotRequired[list[str]]
    """Table components to compute over."""
    gather: NotRequired[GatherRequest]
    summarise: NotRequired[str]
    """The document, or the pattern of documents, to summarise."""


class HopInProgress(TypedDict):
    """The hop between its stages: the admitted route, and the results of each stage."""

    route: Route
    documents: list[Scored]
    components: list[Scored]
    parents: dict[str, Path]


class JudgedOpening(TypedDict):
    """The first fused decision's judgement of everything that the opening by rules found."""

    success: bool
    reason: str
    relevant: list[str]


class FifState(Memory, total=False):
    """State of a FiF run."""

    hops: Annotated[list[Hop], merge_hops]
    proposal: Proposal
    hop: HopInProgress | None
    fused: bool
    """Whether one decision judges a hop and proposes the next (ours, with a model, after the opening by rules)."""
    marked: list[str]
    """Components marked relevant by the fused decision, the most important first."""
    draft: Draft | None
    opening: JudgedOpening | None
    """None until a fused decision has seen what the opening found."""


def selects(state: FifState) -> Reasoning:
    """Return the reasoning that reranks the hop's shortlists; "none" once the fused decision does it."""
    hop = state.get("hop")
    return hop["route"]["strategy"]["reasoning"] if hop and not state.get("fused") else "none"


class SummaryInput(TypedDict):
    """What the subgraph of a summary is given: the proposal, and the history that it adds to."""

    question: str
    proposal: Proposal
    hops: Annotated[list[Hop], merge_hops]
    subqueries: Annotated[list[Subquery], merge_subqueries]
    usage: Annotated[dict[str, Charge], merge_charges]


class Summarised(TypedDict, total=False):
    """What it gives back: its step, and the answer, or the proposal to decide anew."""

    hops: Annotated[list[Hop], merge_hops]
    subqueries: Annotated[list[Subquery], merge_subqueries]
    evidence: Annotated[dict[str, Evidence], keep_best]
    marked: list[str]
    draft: Draft | None
    proposal: Proposal
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class SummaryState(SummaryInput):
    """State of a summary: its parts, and the points of those that were read."""

    summary: SummaryInProgress
    part_points: Annotated[list[PartPoints], merge_parts]


class FifAnswered(MethodOutput, total=False):
    """Output of FiF: the common output with the subqueries and the whole history."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]
