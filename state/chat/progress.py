"""Progress events of a run: the values of LangGraph's stream mode "custom".

Each is sent when a node has finished, in order; clients may show them as lines. They are not stored: the state has the
whole history, and a resumed run does not repeat them.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

PROGRESS = "backtrail.progress"
"""``type`` of every progress event."""

Event = Literal["plan", "seek", "found", "answer"]
"""
- plan: a part of the question, a choice, a reformulation
- seek: what is searched next
- found: results of a hop, search, agent or planning node, and their judgement
- answer: the run has its answer
"""


class FoundPiece(TypedDict):
    """A found component; ``title`` and ``snippet`` are "" while only its id is known."""

    id: str
    title: str
    modality: str
    snippet: str


class Cost(TypedDict):
    """What the run has spent so far, without parallel work that is still running."""

    calls: int
    input_tokens: int
    output_tokens: int
    usd: float
    seconds: float


class Progress(TypedDict):
    """One progress event.

    ``step`` numbers the method's steps, -1 for records without one. ``sought`` is the subquery, query or question,
    ``where`` the strategy in the method's words, ``found`` the best of ``found_count`` components. ``outcome`` is the
    record's own word (success, failure, refused; found, empty; answered, abstained; …), ``judged`` the reason. Texts
    come from models and documents: never render them as HTML.
    """

    type: Literal["backtrail.progress"]
    event: Event
    node: str
    step: int
    sought: str
    where: str
    found: list[FoundPiece]
    found_count: int
    outcome: str
    judged: str
    cost: Cost
