"""Models of search planning: earlier rounds, the next queries, the next kind of search."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backtrail.state.decision import Part
from backtrail.state.own_knowledge_decisions import MayAnswer
from backtrail.state.search import SearchKind, SearchOutcome

SearchAction = Literal["text search", "image search", "no search"]


QUERY_CHARACTERS = 400


class SearchView(Part):
    """A search of an earlier round with its outcome; ``found`` counts elements."""

    kind: SearchKind
    query: str
    outcome: SearchOutcome
    reason: str
    found: int


class RoundView(Part):
    """An earlier round: its queries, its action and its searches."""

    index: int
    queries: list[str]
    action: SearchAction
    searches: list[SearchView]


class Element(Part):
    """A retrieved page or picture, as text cut to the passages relevant to the question."""

    id: str
    round: int
    modality: str
    title: str
    text: str
    query: str


class ReformulateInputs(Part):
    """Q_{t-1} and everything retrieved so far, newest first."""

    question: str
    has_picture: bool
    queries: list[str] = Field(description="The queries of the last round; before the first the question.")
    rounds: list[RoundView]
    elements: list[Element]
    most_queries: int


class Reformulated(Part):
    """The question refined, or split into atomic sub-queries (Q_t)."""

    queries: list[str] = Field(min_length=1, max_length=8)
    why: str = Field(default="", max_length=1000)


class RouteInputs(Part):
    """Q_{t-1} (parallel) or Q_t (sequential), and everything retrieved so far, newest first."""

    question: str
    has_picture: bool
    queries: list[str]
    rounds: list[RoundView]
    elements: list[Element]
    rounds_left: int = Field(description="Rounds that may still be used, this one included.")


class Routed(Part):
    """The search to make next (A_t)."""

    action: SearchAction
    why: str = Field(default="", max_length=1000)


class PlanSearchInputs(ReformulateInputs):
    """Q_{t-1} and everything retrieved so far; may_answer: the plan may hold the answer."""

    rounds_left: int = Field(description="Rounds that may still be used, this one included.")
    may_answer: bool = False


class PlannedSearch(MayAnswer):
    """The search to make next, its queries, or the answer (A_t and Q_t in one decision)."""

    action: SearchAction
    queries: list[str] = Field(default_factory=list[str], max_length=16)
    why: str = Field(default="", max_length=1000)
