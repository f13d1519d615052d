"""Requests for human input in a run, and the replies.

A request is a LangGraph ``interrupt`` in the form of LangChain's agents (``action_requests`` with
``review_configs``), for which agent-chat-ui and LangChain's inbox have buttons. Replies come in that form
(``decisions``), or as plain words from Studio, a page or a command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from typing_extensions import TypedDict

from backtrail.state.errors import InputRefused

Topic = Literal["question", "plan", "spend", "web"]
Decision = Literal["approve", "edit", "reject"]

YES = frozenset(
    ("yes", "y", "ok", "okay", "sure", "approve", "go on", "ja", "oui", "sí", "si", "sim", "да", "是", "はい")
)
NO = frozenset(("no", "n", "stop", "reject", "cancel", "nein", "non", "nee", "não", "нет", "不", "いいえ"))
MOST_PARTS = 12
PART_CHARACTERS = 400


class ActionRequest(TypedDict):
    """The action that a run proposes; ``args`` can be edited if that is allowed."""

    name: str
    args: dict[str, Any]
    description: str


class ReviewConfig(TypedDict):
    """Decisions that are allowed for an action."""

    action_name: str
    allowed_decisions: list[Decision]


class ApprovalRequest(TypedDict):
    """Value of an interrupt that asks a person; ``type`` marks it as Backtrail's."""

    type: Literal["backtrail.approval"]
    topic: Topic
    action_requests: list[ActionRequest]
    review_configs: list[ReviewConfig]


class Reply(NamedTuple):
    """A person's decision; ``edited`` is the new value, a text or a list of texts."""

    decision: Decision
    edited: Any = None


def approval_request_in(value: Any) -> ApprovalRequest | None:
    """Return the value of an interrupt of Backtrail; None for any other."""
    found: dict[str, Any] = dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else {}
    return cast("ApprovalRequest", found) if found.get("type") == "backtrail.approval" else None


def approval_request(
    topic: Topic, description: str, args: dict[str, Any], allowed: Sequence[Decision]
) -> ApprovalRequest:
    """Build a request to a person."""
    return {
        "type": "backtrail.approval",
        "topic": topic,
        "action_requests": [{"name": topic, "args": args, "description": description}],
        "review_configs": [{"action_name": topic, "allowed_decisions": list(allowed)}],
    }


def reply_to(request: ApprovalRequest, resumed: Any) -> Reply:
    """Return the decision in the value that a run is resumed with.

    Raises:
        InputRefused: there is no decision in it, or one that is not allowed here.
    """
    reply = _read(request["action_requests"][0]["args"], resumed)
    allowed = request["review_configs"][0]["allowed_decisions"]
    if reply is None or reply.decision not in allowed:
        ways = {"approve": "'yes'", "reject": "'no'", "edit": f"a new {request['topic']}"}
        may = " or ".join(ways[one] for one in allowed)
        raise InputRefused(f"This decides nothing about the {request['topic']}. Reply {may}.")
    return reply


def _read(args: Mapping[str, Any], resumed: Any) -> Reply | None:
    if isinstance(resumed, bool):
        return Reply("approve" if resumed else "reject")
    if isinstance(resumed, str):
        word = resumed.strip().casefold().rstrip(".!")
        if word in YES | NO:
            return Reply("approve" if word in YES else "reject")
        return Reply("edit", resumed.strip()) if word else None
    if isinstance(resumed, list):
        several = cast("list[Any]", resumed)
        texts = all(isinstance(one, str) for one in several)
        return (Reply("edit", several) if texts else _read(args, several[0])) if several else None
    return _decided(args, cast("Mapping[str, Any]", resumed)) if isinstance(resumed, Mapping) else None


def _decided(args: Mapping[str, Any], resumed: Mapping[str, Any]) -> Reply | None:
    if isinstance(decisions := resumed.get("decisions"), list) and decisions:
        return _read(args, cast("list[Any]", decisions)[0])
    kind = resumed.get("type")
    if kind in ("approve", "accept"):
        return Reply("approve")
    if kind in ("reject", "ignore"):
        return Reply("reject")
    edited: Any = resumed.get("edited_action") or resumed.get("args") or resumed
    while isinstance(edited, Mapping):
        values = cast("Mapping[str, Any]", edited)
        edited = values.get("args") or next((values[name] for name in args if name in values), None)
    return Reply("edit", edited) if edited else None


def texts_of(edited: Any) -> list[str]:
    """Return the parts of an edited plan, from a list of texts or one text per line.

    Raises:
        InputRefused: there are none, too many, or one is not a text.
    """
    parts: Any = edited.splitlines() if isinstance(edited, str) else edited
    several = cast("list[Any]", parts if isinstance(parts, list) else [])
    texts = [one.strip(" \t-*•")[:PART_CHARACTERS] for one in several if isinstance(one, str) and one.strip(" \t-*•")]
    if not texts or len(texts) > MOST_PARTS or not all(isinstance(one, str) for one in several):
        raise InputRefused(f"A plan has one to {MOST_PARTS} parts, each a text on a line of its own.")
    return texts
