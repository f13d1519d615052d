"""A hop's route, its record in the action history, and the failed routes in that history.

FiF section 4.1 and the method's published prompts define failed routing patterns; that code refuses them, and not the
prompt alone, is ours.
"""

from __future__ import annotations

import re
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.computation import Computation
from backtrail.state.gathering import Gathering
from backtrail.state.path import EdgeKind
from backtrail.state.summary import Summary

Scope = Literal["local", "global"]
Granularity = Literal["document", "component", "subcomponent"]
Reasoning = Literal["none", "component", "both"]
Outcome = Literal["success", "failure", "refused"]
ActionKind = Literal["traverse", "compute", "gather", "summarise", "plan", "stop"]


class Strategy(TypedDict):
    """σ = (hop scope, scoring granularity, reasoning) of one hop."""

    scope: Scope
    granularity: Granularity
    reasoning: Reasoning


class Scored(TypedDict):
    """An id with its score, as in a ranking. ``duplicates`` are ids with the same content that it represents."""

    id: str
    score: float
    duplicates: NotRequired[list[str]]


class Route(TypedDict):
    """Target and strategy of a hop, decided before the search. Empty ``anchors``: the whole corpus."""

    step: int
    subquery_id: str | None
    subquery: str
    anchor_step: int | None
    anchors: list[str]
    strategy: Strategy
    why: str


class Hop(TypedDict):
    """The record of one action with its observation. Plans and stops have one too."""

    step: int
    kind: ActionKind
    subquery_id: str | None
    subquery: str
    anchor_step: int | None
    anchors: list[str]
    strategy: Strategy | None
    documents: list[Scored]
    components: list[Scored]
    outcome: Outcome
    reason: str
    why: str
    resolved: list[str]
    edges: NotRequired[dict[EdgeKind, int]]
    """Documents by the kind of edge that led to them; absent for searches and for authors' links alone."""
    computation: NotRequired[Computation]
    """What a step of the kind "compute" did."""
    gathering: NotRequired[Gathering]
    """What a step of the kind "gather" did."""
    summary: NotRequired[Summary]
    """What a step of the kind "summarise" did."""
    opening: NotRequired[bool]
    """Taken and judged by rules, before the first model call."""


def hop_record(
    route: Route,
    outcome: Outcome,
    reason: str,
    documents: list[Scored] | None = None,
    components: list[Scored] | None = None,
    resolved: list[str] | None = None,
) -> Hop:
    """Build the record of a route with its results and their judgement."""
    return {
        "step": route["step"],
        "kind": "traverse",
        "subquery_id": route["subquery_id"],
        "subquery": route["subquery"],
        "anchor_step": route["anchor_step"],
        "anchors": route["anchors"],
        "strategy": route["strategy"],
        "documents": documents or [],
        "components": components or [],
        "outcome": outcome,
        "reason": reason,
        "why": route["why"],
        "resolved": resolved or [],
    }


def action_record(
    kind: Literal["compute", "gather", "summarise", "plan", "stop"],
    step: int,
    text: str,
    outcome: Outcome,
    reason: str,
    why: str,
) -> Hop:
    """Build the record of an action that is no traversal."""
    return {
        "step": step,
        "kind": kind,
        "subquery_id": None,
        "subquery": text,
        "anchor_step": None,
        "anchors": [],
        "strategy": None,
        "documents": [],
        "components": [],
        "outcome": outcome,
        "reason": reason,
        "why": why,
        "resolved": [],
    }


def computations(hops: list[Hop]) -> dict[str, Computation]:
    """Return the computations that succeeded, by the ids that they are cited by."""
    return {
        computed_id(hop["step"]): hop["computation"]
        for hop in hops
        if "computation" in hop and hop["outcome"] == "success"
    }


def query_failed_once(hops: list[Hop]) -> bool:
    """Return whether the last step is a computation whose query failed, and the one before is not."""
    failed = [hop["outcome"] == "failure" and bool(hop.get("computation", {}).get("query")) for hop in hops[-2:]]
    return failed[-1:] == [True] and failed != [True, True]


def computed_id(step: int) -> str:
    """Return the id that the computation of a step is cited by."""
    return f"computed@{step}"


def merge_hops(current: list[Hop], new: list[Hop]) -> list[Hop]:
    """Reducer: one record per step, in order; a step seen again replaces its record."""
    by_step = {hop["step"]: hop for hop in current}
    by_step.update({hop["step"]: hop for hop in new})
    return [by_step[step] for step in sorted(by_step)]


def intent(subquery: str) -> str:
    """Normalize a subquery: case, punctuation, articles and word order do not count.

    So rewording alone is not a new route; a new word is.
    """
    words = re.findall(r"\w+", subquery.casefold())
    return " ".join(sorted(set(words) - {"a", "an", "the", "of", "in", "is", "was", "to"}))


def route_key(subquery: str, anchors: list[str], strategy: Strategy) -> tuple[str, ...]:
    """Return the identity of a route: equal keys are the same attempt."""
    return (
        intent(subquery),
        "|".join(sorted(anchors)),
        strategy["scope"],
        strategy["granularity"],
        strategy["reasoning"],
    )


def failed_routes(hops: list[Hop]) -> set[tuple[str, ...]]:
    """Return the keys of every traversal that failed."""
    return {
        route_key(hop["subquery"], hop["anchors"], hop["strategy"])
        for hop in hops
        if hop["kind"] == "traverse" and hop["outcome"] == "failure" and hop["strategy"]
    }
