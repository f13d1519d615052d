"""FiF's memory as its deciders see it.

Nodes measure similarities and coverages, and every decider gets the same. Rules act on them; a chat model may ignore
them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backtrail.state.decision import Part
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import ActionKind, Granularity
from backtrail.state.path import EdgeKind


class SubqueryView(Part):
    """A subquery with its status and answer."""

    id: str
    text: str
    status: Literal["open", "answered", "given_up"]
    answer: str = ""


class FoundView(Part):
    """A component that a hop kept."""

    id: str
    document: str
    title: str
    modality: str
    snippet: str
    similarity: float
    coverage: float = Field(description="Share of the subtask it covers, with the path that led to it, in [0, 1].")
    links: int = Field(description="How many internal documents the component links to.")
    placed: int = Field(default=0, description="How many more are connected by a rare name or the hierarchy.")
    names: list[str] = Field(
        default_factory=list, description="Names in it that are not in the question: what to search for next."
    )


class DocumentView(Part):
    """A document that a hop reached."""

    id: str
    title: str


class SummarisedDocument(DocumentView):
    """A document with its summary, in the step that reached it first."""

    summary: str


class HopView(Part):
    """One step of the history."""

    step: int
    kind: ActionKind
    subquery_id: str | None
    subquery: str
    anchor_step: int | None
    anchors: list[str] = Field(default_factory=list, description="Ids of the documents the hop started from.")
    document_mode: DocumentMode | None
    component_mode: ComponentMode | None
    granularity: Granularity | None
    outcome: Literal["success", "failure", "refused"]
    reason: str
    edges: dict[EdgeKind, int] = Field(
        default_factory=dict[EdgeKind, int],
        description="Documents by the kind of edge that led to them; none where authors' links alone did.",
    )
    documents: list[SummarisedDocument | DocumentView]
    found: list[FoundView]
