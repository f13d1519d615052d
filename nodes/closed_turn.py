"""The end of a question: its answer, also as a message, and the memory of its picture cleared."""

from __future__ import annotations

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from typing_extensions import TypedDict

from backtrail.state.answer import Answer
from backtrail.state.failure import Failure
from backtrail.state.usage import Charge


class AnswerWrites(TypedDict, total=False):
    """The answer, also as a message for chat front ends."""

    answer: Answer
    messages: list[AnyMessage]
    image: None
    usage: dict[str, Charge]
    failures: list[Failure]


def closed_turn(
    reply: Answer, question: str, earlier: list[AnyMessage], usage: dict[str, Charge], failures: list[Failure]
) -> AnswerWrites:
    """What a node that answers writes."""
    messages: list[AnyMessage] = [AIMessage(content=reply["text"])]
    if not (earlier and earlier[-1].type == "human"):
        # Asked through the question field: keep the turn whole for follow-ups.
        messages.insert(0, HumanMessage(content=question))
    # The picture belonged to this question: the next one on the thread brings its own.
    return {"answer": reply, "messages": messages, "image": None, "usage": usage, "failures": failures}


def abstention(text: str) -> Answer:
    """An answer that says what was not found."""
    return {"text": text, "citations": [], "confidence": 0.0, "abstained": True}
