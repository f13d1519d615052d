"""Self-RAG's memory: an attempt for each query, and the draft."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from backtrail.state.answer import Answer
from backtrail.state.single_web_search import SingleWebSearchAnswered, SingleWebSearchState


class Attempt(TypedDict):
    """One search: its query, the relevant documents, and the judgement of its last draft.

    ``grounded`` and ``useful`` are None until a draft is judged; drafts and rounds count from 1.
    """

    round: int
    query: str
    relevant: list[str]
    drafts: int
    grounded: bool | None
    useful: bool | None
    why: str


def merge_attempts(current: list[Attempt], new: list[Attempt]) -> list[Attempt]:
    """Reducer: one record per round, in order; a round seen again replaces its record."""
    by_round = {attempt["round"]: attempt for attempt in [*current, *new]}
    return [by_round[number] for number in sorted(by_round)]


class SelfRagState(SingleWebSearchState, total=False):
    """State of a Self-RAG run."""

    query: str
    attempts: Annotated[list[Attempt], merge_attempts]
    draft: Answer | None


class SelfRagAnswered(SingleWebSearchAnswered, total=False):
    """Output of Self-RAG: the common output with searches and attempts."""

    attempts: Annotated[list[Attempt], merge_attempts]
