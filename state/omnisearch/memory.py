"""OmniSearch's memory: its turns, and the results of their searches."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from backtrail.state.conversation import MethodOutput
from backtrail.state.memory import Memory
from backtrail.state.omnisearch.decisions import OmniAction
from backtrail.state.search import SearchRecord, SearchTask, merge_searches


class Turn(TypedDict):
    """One step of the loop; its search is the record of round ``index``. Turns count from 1."""

    index: int
    thought: str
    subquestion: str
    action: OmniAction
    query: str


def merge_turns(current: list[Turn], new: list[Turn]) -> list[Turn]:
    """Reducer: one record per turn, in order; a turn seen again replaces its record."""
    by_index = {turn["index"]: turn for turn in [*current, *new]}
    return [by_index[index] for index in sorted(by_index)]


class OmniSearchState(Memory, total=False):
    """State of an OmniSearch run."""

    task: SearchTask | None
    turns: Annotated[list[Turn], merge_turns]
    searches: Annotated[list[SearchRecord], merge_searches]


class OmniSearchAnswered(MethodOutput, total=False):
    """Output of OmniSearch: the common output with the turns and every search."""

    turns: Annotated[list[Turn], merge_turns]
    searches: Annotated[list[SearchRecord], merge_searches]
