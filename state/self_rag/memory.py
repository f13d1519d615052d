"""The memory of self-reflective RAG: one attempt for each query, and what was drafted."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from backtrail.state.answer import Answer
from backtrail.state.single_web_search import SingleWebSearchAnswered, SingleWebSearchState


class Attempt(TypedDict):
    """One search with its query, the documents found relevant, and how its last draft was judged.

    ``grounded`` and ``useful`` are None while no draft was judged; drafts count from 1. Rounds too.
    """

    round: int
    query: str
    relevant: list[str]
    drafts: int
    grounded: bool | None
    useful: bool | None
    why: str


def merge_attempts(held: list[Attempt], new: list[Attempt]) -> list[Attempt]:
    """Reducer: one record per round, in order; a round seen again replaces its record."""
    by_round = {attempt["round"]: attempt for attempt in [*held, *new]}
    return [by_round[number] for number in sorted(by_round)]


class SelfRagState(SingleWebSearchState, total=False):
    """What searching methods remember, with the attempts and the draft."""

    query: str
    attempts: Annotated[list[Attempt], merge_attempts]
    draft: Answer | None


class SelfRagAnswered(SingleWebSearchAnswered, total=False):
    """The common outcome, with the attempts."""

    attempts: Annotated[list[Attempt], merge_attempts]
