"""CogPlanner's memory: planning rounds and the elements they retrieved (CogPlanner 3.1)."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.conversation import MethodOutput
from backtrail.state.memory import Memory
from backtrail.state.own_knowledge_decisions import OwnReply
from backtrail.state.planned_search import SearchAction
from backtrail.state.search import SearchRecord, SearchTask, merge_searches


class Round(TypedDict):
    """One planning round: (A_t, Q_t), and the ids it retrieved, best first. Rounds count from 1."""

    index: int
    queries: list[str]
    action: SearchAction
    found: list[str]
    why: str


class Reformulation(TypedDict):
    """Q_t, from one branch of a planning round. ``valid`` is false if the last queries are used again."""

    round: int
    queries: list[str]
    valid: bool
    why: str


class Routing(TypedDict):
    """A_t, from the other branch. ``valid`` is false if no action was decided."""

    round: int
    action: SearchAction
    valid: bool
    why: str


def merge_rounds(current: list[Round], new: list[Round]) -> list[Round]:
    """Reducer: one record per round, in order; a round seen again replaces its record."""
    by_index = {record["index"]: record for record in [*current, *new]}
    return [by_index[index] for index in sorted(by_index)]


def current_queries(rounds: list[Round], question: str) -> list[str]:
    """Return Q_{t-1}: the queries of the last round, or the question before the first."""
    return rounds[-1]["queries"] if rounds else [question]


class CogPlannerState(Memory, total=False):
    """State of a CogPlanner run."""

    paradigm: Paradigm
    one_plan: bool
    own: OwnReply | None
    reformulation: Reformulation | None
    routing: Routing | None
    tasks: list[SearchTask]
    queries: list[str]
    rounds: Annotated[list[Round], merge_rounds]
    searches: Annotated[list[SearchRecord], merge_searches]


class CogPlannerAnswered(MethodOutput, total=False):
    """Output of CogPlanner: the common output with rounds, last queries and every search."""

    queries: list[str]
    rounds: Annotated[list[Round], merge_rounds]
    searches: Annotated[list[SearchRecord], merge_searches]
