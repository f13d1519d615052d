"""End a turn: write the answer as a message and clear the question's picture from memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from langchain_core.messages import AnyMessage, HumanMessage
from typing_extensions import TypedDict

from backtrail.nodes.reading.disambiguate_titles import disambiguate_titles
from backtrail.nodes.reading.duplicate_sources import with_duplicate_sources
from backtrail.nodes.streaming.answer_message import answer_message
from backtrail.nodes.streaming.numbered_sources import where_asked
from backtrail.state.answer import Answer
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure, failures_of_models
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class TurnSlice(TypedDict):
    """The conversation with the question, and what the message says beside the answer."""

    messages: list[AnyMessage]
    question: str
    subqueries: list[Subquery]
    stop_reason: NotRequired[str]
    also_asked: NotRequired[list[str]]
    evidence: dict[str, Evidence]


class AnswerWrites(TypedDict, total=False):
    """The answer, also as a message for chat front ends."""

    answer: Answer
    messages: list[AnyMessage]
    image: None
    usage: dict[str, Charge]
    failures: list[Failure]
    stop_reason: str


def end_turn(
    toolbox: Toolbox,
    settings: Settings,
    state: TurnSlice,
    reply: Answer,
    usage: dict[str, Charge],
    failures: list[Failure],
    failed: str = "",
    *,
    stop_reason: str = "",
) -> AnswerWrites:
    """What a node that answers writes; its citations say where else the same stands, and which
    document is meant where several have one title.

    Reads the addresses of what is cited, so async nodes call it in a thread.

    Args:
        stop_reason: why the run ended, where the state does not say it yet.
        failed: the node at which a model failed, when that is why there is no answer; then the run stopped for it.
    """
    reply = disambiguate_titles(with_duplicate_sources(toolbox, settings, reply, state.get("evidence") or {}))
    ended = stopped_at(failed) if failed else stop_reason or state.get("stop_reason") or ""
    said = answer_message(
        toolbox, settings, reply, state["question"], state.get("subqueries") or [], ended, where_asked(),
        also_asked=state.get("also_asked") or [],
    )  # fmt: skip
    messages: list[AnyMessage] = [said]
    earlier = state.get("messages", [])
    if not (earlier and earlier[-1].type == "human"):
        # Asked through the question field: keep the turn whole for follow-ups.
        messages.insert(0, HumanMessage(content=state["question"]))
    # The picture belonged to this question: the next one on the thread brings its own.
    closed: AnswerWrites = {"answer": reply, "messages": messages, "image": None, "usage": usage, "failures": failures}
    return {**closed, "stop_reason": stopped_at(failed)} if failed else closed


def stopped_at(failed: str) -> str:
    """The stop reason of a run that has no answer because a model failed at a node."""
    return f"failed:{failed}"


def abstention(text: str) -> Answer:
    """An answer that says what was not found."""
    return {"short": "", "text": text, "citations": [], "confidence": 0.0, "abstained": True}


def without_answer(text: str, failures: Sequence[Failure]) -> tuple[Answer, str]:
    """The abstention of a run that has nothing to answer from or with, and the node at which a model failed, if any.

    Where one failed, nothing was found because nothing usable was said: that is what the abstention says then.
    """
    failed = failures_of_models(failures)
    if not failed:
        return abstention(text), ""
    last = failed[-1]
    more = f" It failed at {len(failed)} decisions." if len(failed) > 1 else ""
    return abstention(f"There is no answer, because the model failed at {last['node']}: {last['message']}{more}"), last[
        "node"
    ]
