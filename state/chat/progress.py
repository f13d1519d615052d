"""What a run tells while it works: the values of LangGraph's stream mode "custom".

Each is told when a node has finished, in the order in which things happened; a client may show them as lines. They are
told, not kept: the state has the whole history, and a run that goes on after a restart does not repeat them.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

PROGRESS = "backtrail.progress"
"""``type`` of every such value, by which clients know them."""

Event = Literal["plan", "seek", "found", "answer"]
"""
- plan: a part of the question, a choice, a reformulation
- seek: what is going to be looked for
- found: what a hop, search, agent or node of a planning graph brought, and how that was judged
- answer: the run has its answer
"""


class FoundPiece(TypedDict):
    """One component that was found; ``title`` and ``snippet`` are "" where only its id is known so far."""

    id: str
    title: str
    modality: str
    snippet: str


class Cost(TypedDict):
    """What the run has spent so far, as far as its ledger says: work that still goes on beside is not in it."""

    calls: int
    input_tokens: int
    output_tokens: int
    usd: float
    seconds: float


class Progress(TypedDict):
    """One value.

    ``step`` numbers the method's steps, -1 where a record has none. ``sought``: the subtask, query or question.
    ``where``: where and how it is sought, in the method's words. ``found``: the best of ``found_count`` components.
    ``outcome`` is the record's own word (success, failure, refused; found, empty; answered, abstained; …), ``judged``
    the reason. Texts come from models and documents: show them as text.
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
