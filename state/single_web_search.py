"""State of methods with at most one web search before the answer."""

from __future__ import annotations

from typing import Annotated

from backtrail.state.conversation import MethodOutput
from backtrail.state.memory import Memory
from backtrail.state.search import SearchRecord, merge_searches


class SingleWebSearchState(Memory, total=False):
    """State of a run with its searches."""

    searches: Annotated[list[SearchRecord], merge_searches]


class SingleWebSearchAnswered(MethodOutput, total=False):
    """The common output with every search."""

    searches: Annotated[list[SearchRecord], merge_searches]
