"""OmniSearch's decision: a thought, a sub-question, and one of three searches or the final answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from backtrail.state.decision import Decision, Part
from backtrail.state.search import SearchOutcome

OmniAction = Literal["search by picture", "search text", "search pictures", "final answer"]
QUERY_CHARACTERS = 400


class FoundElement(Part):
    """A page or a picture that a turn found, as text cut to the passages relevant to the question."""

    id: str
    modality: str
    title: str
    text: str


class TurnView(Part):
    """An earlier turn, the outcome of its search, and the first elements it found."""

    index: int
    subquestion: str
    action: OmniAction
    query: str
    outcome: SearchOutcome
    reason: str
    found: list[FoundElement]


class ThinkInputs(Part):
    """(i, t), and every earlier turn with its feedback, oldest first."""

    question: str
    has_picture: bool
    turns: list[TurnView]
    turns_left: int = Field(description="Turns that may still be used, this one included.")


class Thought(Part):
    """One step of the loop."""

    thought: str = Field(default="", max_length=2000)
    subquestion: str = Field(default="", max_length=400)
    action: OmniAction
    query: str = Field(default="", max_length=QUERY_CHARACTERS)


def can_be_searched(inputs: ThinkInputs, thought: Thought) -> list[str]:
    """Check that a search by words has a query, and a search by picture a picture."""
    if thought.action in ("search text", "search pictures") and not thought.query.strip():
        return [f"{thought.action!r} needs a query."]
    if thought.action == "search by picture" and not inputs.has_picture:
        return ["No picture came with the question, so it cannot be searched with; search by words or answer."]
    return []


THINK_SEARCH = Decision("omnisearch_think", ThinkInputs, Thought, "planner", can_be_searched, reasoned=False)


def searches_first(inputs: ThinkInputs, thought: Thought) -> list[str]:
    """Check also that no answer comes before a search."""
    if thought.action == "final answer" and not inputs.turns:
        return ["Nothing was searched yet, and the answer may rest on nothing but what was found; choose a search."]
    return can_be_searched(inputs, thought)


SEARCH_FIRST = replace(THINK_SEARCH, check=searches_first)
"""The same decision without own knowledge."""
