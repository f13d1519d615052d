"""The answer as structured values in a chat message.

An AI message carries it as ``additional_kwargs["backtrail"]``. It is a copy for those who show it; the answer of the
state is the one that counts, and a message whose values are gone is still a message.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, cast

from langchain_core.messages import BaseMessage
from typing_extensions import TypedDict

from backtrail.state.answer import Citation, Grounds
from backtrail.state.offline.extract import Level
from backtrail.state.text.whitespace import bound_whitespace

TOLD = "backtrail"
"""Key of ``additional_kwargs`` under which a message of ours has its values."""


class Source(Citation):
    """A citation with the number that the message gives it, and where people find it.

    ``place`` says in words where in its document it stands; ``address`` leads to the document, ``picture`` to the
    cited picture. Both are "" where there is none.
    """

    number: int
    place: str
    address: str
    picture: str


class Confidence(TypedDict):
    """How sure the answer is, and by whose measure: the calibration of the rules, or the model's own estimate."""

    level: Level
    by: Literal["calibration", "model"]


class Ceiling(TypedDict):
    """The ceiling of the budget that ended a run; ``name`` is its field in ``Budget``."""

    name: str
    allowed: float


class Told(TypedDict):
    """What a message says. ``sources`` are what the answer cites, or without an answer the quotes nearest to one.

    ``question`` is the question as it was understood, a follow-up made whole. ``still_open``: subqueries that were not
    answered. ``also_asked``: further questions of the message, which were not looked for. ``trace``: the
    address of the page that shows the run, or "".
    """

    question: str
    short: str
    text: str
    abstained: bool
    grounds: NotRequired[Grounds]
    confidence: NotRequired[Confidence]
    sources: list[Source]
    unborne: list[str]
    still_open: list[str]
    also_asked: NotRequired[list[str]]
    stop_reason: str
    ceiling: NotRequired[Ceiling]
    thread: str
    trace: str


def told_in(message: BaseMessage) -> Told | None:
    """The values of a message of ours; None of any other. Clients write messages, so nothing is taken on trust."""
    held: Any = message.additional_kwargs.get(TOLD)
    if message.type != "ai" or not isinstance(held, dict):
        return None
    told = cast("dict[str, Any]", held)
    return cast("Told", told) if isinstance(told.get("text"), str) and isinstance(told.get("short"), str) else None


def said_in(message: BaseMessage) -> str:
    """What was said, without its sources and its marks: what a follow-up is read with."""
    told = told_in(message)
    return bound_whitespace((told["text"] if told else str(message.text)).strip())
