"""What a run planned and searched, as far as results keep it: counts and short texts, no contents.

Read from the memory of methods that plan searches: CogPlanner's rounds, OmniSearch's turns, the VQA planner's
path, and the searches of all of them and of their baselines. Other methods leave everything empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field

from backtrail.state.omnisearch.decisions import OmniAction
from backtrail.state.planned_search import SearchAction
from backtrail.state.search import SearchKind, SearchRecord
from backtrail.state.usage import Charge, add_charges

KEYS = ("rounds", "turns", "path", "queries", "searches", "paradigm")
"""Keys of the memory that are read."""
SEARCH_KINDS: tuple[SearchKind, ...] = get_args(SearchKind)
PLANNING_NODES = frozenset({"reformulate", "route_search", "choose_path", "think_search"})
"""Nodes that take a planning expert's decisions. Writing the gold query and the answer is the task model's work."""
QUERY_CHARACTERS = 400
_TURN_ACTIONS: Mapping[OmniAction, SearchAction] = {
    "search text": "text search",
    "search by picture": "image search",
    "search pictures": "image search",
    "final answer": "no search",
}


class SearchCounts(BaseModel):
    """Searches of one kind that were carried out; ``requests`` went over the network."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    searches: int = 0
    requests: int = 0
    seconds: float = 0.0
    empty: int = 0
    failed: int = 0


class Planning(BaseModel):
    """What the planner spent. ``seconds`` is how long one had to wait for it: of decisions side by side the longer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class Planned(BaseModel):
    """None and empty where a method keeps no such thing; ``queries`` are the last ones, as reformulated."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    actions: tuple[str, ...] | None = Field(
        default=None, description="The action of each round or turn, as CogPlanner names them."
    )
    path: str = Field(default="", description="The VQA planner's class, c1 to c4, as it ran.")
    queries: tuple[str, ...] = ()
    searches: dict[str, SearchCounts] | None = Field(default=None, description="By kind; a kind not used is absent.")
    planning: Planning | None = None


def planned_of(state: Mapping[str, Any]) -> Planned:
    """What a run that ended with this state planned."""
    path, searches = state.get("path"), state.get("searches")
    return Planned(
        actions=_actions(state),
        path=str(path["category"]) if path else "",
        queries=tuple(query[:QUERY_CHARACTERS] for query in state.get("queries") or ()),
        searches=None if searches is None else _counted(searches),
        planning=_planning(state.get("usage", {}), side_by_side=state.get("paradigm") == "parallel"),
    )


def _actions(state: Mapping[str, Any]) -> tuple[str, ...] | None:
    if "rounds" in state:
        return tuple(one["action"] for one in state["rounds"])
    if "turns" in state:
        return tuple(_TURN_ACTIONS[one["action"]] for one in state["turns"])
    return None


def _counted(records: Sequence[SearchRecord]) -> dict[str, SearchCounts]:
    """Refused searches were never carried out."""
    counts: dict[str, SearchCounts] = {}
    for kind in SEARCH_KINDS:
        made = [record for record in records if record["kind"] == kind and record["outcome"] != "refused"]
        if made:
            counts[kind] = SearchCounts(
                searches=len(made),
                requests=sum(record["requests"] for record in made),
                seconds=round(sum(record["seconds"] for record in made), 4),
                empty=sum(record["outcome"] == "empty" for record in made),
                failed=sum(record["outcome"] == "failed" for record in made),
            )
    return counts


def _planning(ledger: Mapping[str, Charge], *, side_by_side: bool) -> Planning | None:
    """From the charges of planning nodes, which are named node@step."""
    steps: dict[str, list[Charge]] = {}
    for key, charge in ledger.items():
        node, _, step = key.partition("@")
        if node in PLANNING_NODES:
            steps.setdefault(step, []).append(charge)
    if not steps:
        return None
    total = add_charges(charge for charges in steps.values() for charge in charges)
    longest = max if side_by_side else sum
    waited = sum(longest([sum(one["seconds"].values()) for one in charges]) for charges in steps.values())
    return Planning(
        calls=total["calls"],
        input_tokens=total["input_tokens"],
        output_tokens=total["output_tokens"],
        seconds=round(waited, 4),
    )
