"""The decision of a generator without evidence: answer from own knowledge, or say it is not known."""

from __future__ import annotations

from pydantic import Field
from typing_extensions import TypedDict

from backtrail.state.answer_decisions import ANSWER_CHARACTERS, EARLIER, SHORT_CHARACTERS
from backtrail.state.decision import Decision, Part


class AnswerAloneInputs(Part):
    """The question, its last queries, and the searches that found nothing."""

    question: str
    has_picture: bool
    queries: list[str] = Field(default_factory=list[str])
    searched: list[str] = Field(
        default_factory=list[str], description="A line for each search that found nothing, with the reason."
    )


class OwnAnswer(Part):
    """An answer from own knowledge, or one sentence on what is not known."""

    short: str = Field(default="", max_length=SHORT_CHARACTERS, description="The answer alone: a span, number or list.")
    text: str = Field(
        max_length=ANSWER_CHARACTERS, validation_alias=EARLIER, description="The sentence with its reasons."
    )
    known: bool = Field(description="False when the answer is not known.")
    confidence: float = Field(ge=0.0, le=1.0)


class OwnReply(TypedDict):
    """An answer from own knowledge that came with a plan, which saves a call."""

    short: str
    text: str
    confidence: float


class MayAnswer(Part):
    """Fields of a plan for the answer, if the planner is the generator and nothing is searched."""

    short: str = Field(default="", max_length=SHORT_CHARACTERS, description="The answer alone, if nothing is searched.")
    text: str = Field(default="", max_length=ANSWER_CHARACTERS, description="The sentence with its reasons.")
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)


def own_reply(planned: MayAnswer) -> OwnReply | None:
    """Return the answer in a plan, or None."""
    text = planned.text.strip() or planned.short.strip()
    if not text:
        return None
    return {"short": planned.short.strip(), "text": text, "confidence": round(planned.confidence, 4)}


def says_something(inputs: AnswerAloneInputs, own: OwnAnswer) -> list[str]:
    """Check that a known answer is not empty."""
    return ["An answer that is known must not be empty."] if own.known and not own.text.strip() else []


ANSWER_ALONE = Decision("answer_alone", AnswerAloneInputs, OwnAnswer, "reader", says_something)
