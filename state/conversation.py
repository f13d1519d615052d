"""Input and output that every method's state shares."""

from __future__ import annotations

from typing import Annotated

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from backtrail.state.answer import Answer
from backtrail.state.evidence import Evidence, keep_best
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.hop import Scored
from backtrail.state.usage import Charge, merge_charges


class MethodInput(TypedDict, total=False):
    """Input of every method: a question (API) or messages (chat front ends), and optionally a picture."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    image: str | None


class MethodOutput(TypedDict, total=False):
    """Output of every method."""

    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    answer: Answer
    ranking: list[Scored]
    evidence: Annotated[dict[str, Evidence], keep_best]
    stop_reason: str
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]
