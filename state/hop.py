"""A hop's route, its record in the action history, and the ledger of failed routes read from that.

FiF section 4.1 and the method's published prompts define what a failed routing pattern is; that it
is refused in code and not by the prompt alone is ours.
"""

from __future__ import annotations

import re
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.path import EdgeKind

Scope = Literal["local", "global"]
Granularity = Literal["document", "component", "subcomponent"]
Reasoning = Literal["none", "component", "both"]
Outcome = Literal["success", "failure", "refused"]
ActionKind = Literal["traverse", "plan", "stop"]


class Strategy(TypedDict):
    """σ = (hop scope, scoring granularity, reasoning) of one hop."""

    scope: Scope
    granularity: Granularity
    reasoning: Reasoning


class Scored(TypedDict):
    """An id with its score, as ranked lists carry them. ``also`` are others that say the same: it stands for them."""

    id: str
    score: float
    also: NotRequired[list[str]]


class Route(TypedDict):
    """Where a hop goes and how: decided before anything is searched. An empty ``anchors`` is the whole corpus."""

    step: int
    subquery_id: str | None
    subquery: str
    anchor_step: int | None
    anchors: list[str]
    strategy: Strategy
    why: str


class Hop(TypedDict):
    """The record of one action with its observation. Plans and the stop have one too: the history has no gaps."""

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
    """How many of its documents an edge of each kind led to; not said of a search, or of authors' links alone."""
    opening: NotRequired[bool]
    """Taken by rules before a model was asked anything, and judged by them."""


def recorded(
    route: Route,
    outcome: Outcome,
    reason: str,
    documents: list[Scored] | None = None,
    components: list[Scored] | None = None,
    resolved: list[str] | None = None,
) -> Hop:
    """The record of a route: what it brought, and how that was judged."""
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


def noted(kind: Literal["plan", "stop"], step: int, text: str, outcome: Outcome, reason: str, why: str) -> Hop:
    """The record of an action that goes nowhere."""
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


def merge_hops(held: list[Hop], new: list[Hop]) -> list[Hop]:
    """Reducer: one record per step, in order; a step seen again replaces its record."""
    by_step = {hop["step"]: hop for hop in held}
    by_step.update({hop["step"]: hop for hop in new})
    return [by_step[step] for step in sorted(by_step)]


def intent(subquery: str) -> str:
    """What a subquery asks, regardless of case, punctuation, articles and word order.

    Rewording alone must not count as a new route; a new word does.
    """
    words = re.findall(r"\w+", subquery.casefold())
    return " ".join(sorted(set(words) - {"a", "an", "the", "of", "in", "is", "was", "to"}))


def route_key(subquery: str, anchors: list[str], strategy: Strategy) -> tuple[str, ...]:
    """Identity of a route: equal keys are the same attempt."""
    return (
        intent(subquery),
        "|".join(sorted(anchors)),
        strategy["scope"],
        strategy["granularity"],
        strategy["reasoning"],
    )


def failed_routes(hops: list[Hop]) -> set[tuple[str, ...]]:
    """The failed-route ledger: keys of every traversal that failed."""
    return {
        route_key(hop["subquery"], hop["anchors"], hop["strategy"])
        for hop in hops
        if hop["kind"] == "traverse" and hop["outcome"] == "failure" and hop["strategy"]
    }
