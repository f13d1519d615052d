"""Requests for human input in a run, and the replies.

Asked with LangGraph's ``interrupt`` in the form of LangChain's agents (``action_requests`` with ``review_configs``),
for which agent-chat-ui and LangChain's inbox have buttons. Replies may come in that form (``decisions``), or as plain
words, which is what Studio, a page or a command line sends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from typing_extensions import TypedDict

from backtrail.state.errors import InputRefused

Asked = Literal["question", "plan", "spend", "web"]
Decision = Literal["approve", "edit", "reject"]

YES = frozenset(
    ("yes", "y", "ok", "okay", "sure", "approve", "go on", "ja", "oui", "sí", "si", "sim", "да", "是", "はい")
)
NO = frozenset(("no", "n", "stop", "reject", "cancel", "nein", "non", "nee", "não", "нет", "不", "いいえ"))
MOST_PARTS = 12
PART_CHARACTERS = 400


class ActionRequest(TypedDict):
    """What the run would do; ``args`` can be edited where that is allowed."""

    name: str
    args: dict[str, Any]
    description: str


class ReviewConfig(TypedDict):
    """Which decisions are taken."""

    action_name: str
    allowed_decisions: list[Decision]


class Asking(TypedDict):
    """The value of an interrupt. ``type`` and ``asked`` tell ours apart."""

    type: Literal["backtrail.asking"]
    asked: Asked
    action_requests: list[ActionRequest]
    review_configs: list[ReviewConfig]


class Reply(NamedTuple):
    """What somebody decided; ``edited`` is the new value, a text or a list of texts."""

    decision: Decision
    edited: Any = None


def asking_in(value: Any) -> Asking | None:
    """The value of an interrupt of ours; None of any other."""
    held: dict[str, Any] = dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else {}
    return cast("Asking", held) if held.get("type") == "backtrail.asking" else None


def asking(asked: Asked, description: str, args: dict[str, Any], allowed: Sequence[Decision]) -> Asking:
    """One question to people."""
    return {
        "type": "backtrail.asking",
        "asked": asked,
        "action_requests": [{"name": asked, "args": args, "description": description}],
        "review_configs": [{"action_name": asked, "allowed_decisions": list(allowed)}],
    }


def reply_to(asked: Asking, resumed: Any) -> Reply:
    """What a value that a run is resumed with decides.

    Raises:
        InputRefused: it decides nothing, or what may not be decided here; says what may.
    """
    reply = _read(asked["action_requests"][0]["args"], resumed)
    allowed = asked["review_configs"][0]["allowed_decisions"]
    if reply is None or reply.decision not in allowed:
        ways = {"approve": "'yes'", "reject": "'no'", "edit": f"a new {asked['asked']}"}
        may = " or ".join(ways[one] for one in allowed)
        raise InputRefused(f"This decides nothing about the {asked['asked']}. Reply {may}.")
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
    """The parts of an edited plan: a list of texts, or one a line.

    Raises:
        InputRefused: there are none, too many, or something is no text.
    """
    parts: Any = edited.splitlines() if isinstance(edited, str) else edited
    several = cast("list[Any]", parts if isinstance(parts, list) else [])
    texts = [one.strip(" \t-*•")[:PART_CHARACTERS] for one in several if isinstance(one, str) and one.strip(" \t-*•")]
    if not texts or len(texts) > MOST_PARTS or not all(isinstance(one, str) for one in several):
        raise InputRefused(f"A plan has one to {MOST_PARTS} parts, each a text on a line of its own.")
    return texts
