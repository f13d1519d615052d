"""End of a turn: the answer as a message, and the question's picture removed from the state."""

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
    """The conversation with the question, and further contents of the message."""

    messages: list[AnyMessage]
    question: str
    own_words: NotRequired[str]
    subqueries: list[Subquery]
    stop_reason: NotRequired[str]
    other_questions: NotRequired[list[str]]
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
    """Return the writes of a node that answers. Citations list duplicates and tell equal titles apart.

    Reads the addresses of cited documents, so async nodes call it in a thread.

    Args:
        stop_reason: why the run ended, if the state does not have it yet.
        failed: the node at which a model failed, if that is why there is no answer; it becomes the stop reason.
    """
    reply = disambiguate_titles(with_duplicate_sources(toolbox, settings, reply, state.get("evidence") or {}))
    ended = stopped_at(failed) if failed else stop_reason or state.get("stop_reason") or ""
    message = answer_message(
        toolbox, settings, reply, state["question"], state.get("subqueries") or [], ended, where_asked(),
        other_questions=state.get("other_questions") or [],
    )  # fmt: skip
    messages: list[AnyMessage] = [message]
    earlier = state.get("messages", [])
    if not (earlier and earlier[-1].type == "human"):
        # The question came in its own field: follow-ups need it as a message.
        messages.insert(0, HumanMessage(content=state.get("own_words") or state["question"]))
    # The picture belongs to this question alone.
    closed: AnswerWrites = {"answer": reply, "messages": messages, "image": None, "usage": usage, "failures": failures}
    return {**closed, "stop_reason": stopped_at(failed)} if failed else closed


def stopped_at(failed: str) -> str:
    """Return the stop reason of a run without an answer because a model failed at a node."""
    return f"failed:{failed}"


def abstention(text: str) -> Answer:
    """Build an abstention."""
    return {"short": "", "text": text, "citations": [], "confidence": 0.0, "abstained": True}


def without_answer(text: str, failures: Sequence[Failure]) -> tuple[Answer, str]:
    """Build the abstention of a run without an answer, with the node at which a model failed, if any.

    If a model failed, the abstention names that failure instead of ``text``.
    """
    failed = failures_of_models(failures)
    if not failed:
        return abstention(text), ""
    last = failed[-1]
    more = f" It failed at {len(failed)} decisions." if len(failed) > 1 else ""
    return abstention(f"There is no answer, because the model failed at {last['node']}: {last['message']}{more}"), last[
        "node"
    ]
