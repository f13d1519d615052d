"""The VQA planning agent's memory: the path, the gold query, and what its searches found (section 3.3)."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from backtrail.state.conversation import Answered
from backtrail.state.memory import Memory
from backtrail.state.own_knowledge_decisions import OwnReply
from backtrail.state.search import SearchRecord, merge_searches
from backtrail.state.vqa_planner.decisions import PathOption


class ChosenPath(TypedDict):
    """The planner's choice, and the path that runs.

    ``planned`` is None where nobody was asked (a fixed path, a reached ceiling) or nothing valid was
    replied. ``option`` and its ``category`` are what runs: another than planned where that cannot run.
    ``probabilities`` are those of the four letters, empty where the decider gave none.
    """

    planned: PathOption | None
    option: PathOption
    category: Literal["c1", "c2", "c3", "c4"]
    probabilities: dict[str, float]
    why: str


class VqaPlannerState(Memory, total=False):
    """Everything a run remembers. ``queries`` holds the gold query."""

    path: ChosenPath | None
    own: OwnReply | None
    queries: list[str]
    searches: Annotated[list[SearchRecord], merge_searches]


class VqaPlannerAnswered(Answered, total=False):
    """The common outcome, with the path, the gold query and every search."""

    path: ChosenPath | None
    queries: list[str]
    searches: Annotated[list[SearchRecord], merge_searches]
