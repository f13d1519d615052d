"""Structured values of an answer in a chat message.

An AI message carries them as ``additional_kwargs["backtrail"]``. They are a copy for display: the answer in the state
is authoritative, and a message without them is valid.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal, NotRequired, cast

from langchain_core.messages import BaseMessage
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from backtrail.state.answer import Citation, Grounds
from backtrail.state.answer_structure import Structure, structure_of, with_structure
from backtrail.state.coverage import Completeness, Coverage
from backtrail.state.offline.extract import Level
from backtrail.state.text.whitespace import bound_whitespace

PAYLOAD_KEY = "backtrail"
"""Key of ``additional_kwargs`` that holds the values."""
_STRUCTURE = TypeAdapter(Structure)


class Source(Citation):
    """A citation with its number in the message and its location for people.

    ``place`` is the position in the document, in words; ``address`` is the URL of the document, ``picture`` that of the
    cited picture. Each is "" if there is none.
    """

    number: int
    place: str
    address: str
    picture: str


class Confidence(TypedDict):
    """Confidence of an answer, and its origin: calibration of the rules, or the model's own estimate."""

    level: Level
    by: Literal["calibration", "model"]


class Ceiling(TypedDict):
    """The budget ceiling that ended a run; ``name`` is its field in ``Budget``."""

    name: str
    allowed: float


class AnswerPayload(Structure):
    """Values of an answer message. ``sources`` are citations or, in an abstention, the best quotes.

    ``text`` is Markdown where a model wrote it. ``items``, ``table`` or ``sections``, at most one, follow it: their
    ``citations`` are numbers of sources.

    ``question`` is the standalone question. ``open_subqueries`` lists unanswered subqueries, ``other_questions``
    further questions of the message that were not searched. ``coverage`` counts what was read of documents, rows and
    places, ``complete`` says whether that is all. ``trace`` is the URL of the page that shows the run, or "".
    """

    question: str
    short: str
    text: str
    abstained: bool
    grounds: NotRequired[Grounds]
    confidence: NotRequired[Confidence]
    sources: list[Source]
    not_found: list[str]
    coverage: NotRequired[list[Coverage]]
    complete: NotRequired[Completeness]
    open_subqueries: list[str]
    other_questions: NotRequired[list[str]]
    stop_reason: str
    ceiling: NotRequired[Ceiling]
    thread: str
    trace: str


def payload_of(message: BaseMessage) -> AnswerPayload | None:
    """Return the values of an answer message; None for any other message.

    Clients write messages, so the types are checked.
    """
    payload: Any = message.additional_kwargs.get(PAYLOAD_KEY)
    if message.type != "ai" or not isinstance(payload, dict):
        return None
    value = cast("dict[str, Any]", payload)
    return (
        cast("AnswerPayload", value)
        if isinstance(value.get("text"), str) and isinstance(value.get("short"), str)
        else None
    )


def answer_text(message: BaseMessage) -> str:
    """Return the text of a message without sources and marks, as context of a follow-up question."""
    values = payload_of(message)
    if values is None:
        return bound_whitespace(str(message.text).strip())
    with suppress(ValidationError):
        structure = _STRUCTURE.validate_python(structure_of(values))
        return bound_whitespace(with_structure(values["text"], structure).strip())
    return bound_whitespace(values["text"].strip())
