"""The VQA planner's memory: the path, the gold query, and the results of its searches (3.3)."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from backtrail.state.conversation import MethodOutput
from backtrail.state.memory import Memory
from backtrail.state.own_knowledge_decisions import OwnReply
from backtrail.state.search import SearchRecord, merge_searches
from backtrail.state.vqa_planner.decisions import PathOption


class ChosenPath(TypedDict):
    """The planner's choice, and the path that runs.

    ``planned`` is None without a valid choice: a fixed path, a reached ceiling, an invalid reply. ``option`` and its
    ``category`` are what runs, which differs where the planned path cannot run. ``probabilities`` are those of the four
    letters, empty if the decider gives none.
    """

    planned: PathOption | None
    option: PathOption
    category: Literal["c1", "c2", "c3", "c4"]
    probabilities: dict[str, float]
    why: str


class VqaPlannerState(Memory, total=False):
    """State of a VQA planner run. ``queries`` holds the gold query."""

    path: ChosenPath | None
    own: OwnReply | None
    queries: list[str]
    searches: Annotated[list[SearchRecord], merge_searches]


class VqaPlannerAnswered(MethodOutput, total=False):
    """Output of the VQA planner: the common output with the path, the gold query and every search."""

    path: ChosenPath | None
    queries: list[str]
    searches: Annotated[list[SearchRecord], merge_searches]
