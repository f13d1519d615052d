"""Planning and searches of a run as stored in results: counts and short texts.

Empty for methods that plan no searches.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import get_args

from pydantic import BaseModel, ConfigDict, Field

from backtrail.state.search import SearchKind
from backtrail.state.usage import Charge, add_charges

SEARCH_KINDS: tuple[SearchKind, ...] = get_args(SearchKind)
QUERY_CHARACTERS = 400


class SearchCounts(BaseModel):
    """Counts of the searches of one kind; ``requests`` went over the network."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    searches: int = 0
    requests: int = 0
    seconds: float = 0.0
    empty: int = 0
    failed: int = 0


class Planning(BaseModel):
    """Usage of the planner. ``seconds`` is wall time: of parallel decisions the longest."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class Planned(BaseModel):
    """Plan and searches; None or empty where a method records none. ``queries`` are the last ones."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    actions: tuple[str, ...] | None = Field(
        default=None, description="The action of each round or turn, as CogPlanner names them."
    )
    path: str = Field(default="", description="The VQA planner's class, c1 to c4, as it ran.")
    queries: tuple[str, ...] = ()
    searches: dict[str, SearchCounts] | None = Field(default=None, description="By kind; a kind not used is absent.")
    planning: Planning | None = None


def short_queries(queries: Sequence[str] | None) -> tuple[str, ...]:
    """Return queries cut to the stored length."""
    return tuple(query[:QUERY_CHARACTERS] for query in queries or ())


def planning_of(ledger: Mapping[str, Charge], planners: Collection[str], *, side_by_side: bool) -> Planning | None:
    """Return the usage of a method's planning nodes from the ledger, whose keys are node@step."""
    steps: dict[str, list[Charge]] = {}
    for key, charge in ledger.items():
        node, _, step = key.partition("@")
        if node in planners:
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
