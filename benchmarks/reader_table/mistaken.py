"""Reader that is wrong on purpose in one reply of ten: kinds of errors, and the reader itself.

Its replies go through the same ladder as those of a chat model: when the ladder detects an error and asks again, it
gives the true reply.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import ConfigDict

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.chat_model import ChatModelDecider
from backtrail.tools.deciders.protocol import Decided, PictureAttachment
from backtrail.tools.deciders.recording.record_file import record_key
from backtrail.tools.deciders.replying_chat import ReplyingChat
from reader_table.kept import Kept

SHARE = 0.1
_WORD = re.compile(r"[a-z0-9 ]*")
Reply = dict[str, Any]


# --- kinds of errors -----------------------------------------------------------------------------
def invented(decision: Decision[Any, Any], inputs: Any, reply: Reply) -> Reply | None:
    """Return a reply with ids that were not offered."""
    return _with_ids(decision, inputs, reply, lambda one, offered: f"{one}-{len(offered)}x")


def mistaken(decision: Decision[Any, Any], inputs: Any, reply: Reply) -> Reply | None:
    """Return a reply with other offered ids."""
    return _with_ids(decision, inputs, reply, lambda one, offered: offered[(offered.index(one) + 1) % len(offered)])


def premature(decision: Decision[Any, Any], inputs: Any, reply: Reply) -> Reply | None:
    """Return a premature, wrong and confident answer: the title of the last shown evidence."""
    evidence = getattr(inputs, "evidence", [])
    if not evidence:
        return None
    last = evidence[-1]
    reading = {
        "short": last.title, "text": f"It is {last.title}.", "citations": [{"component": last.id}],
        "grounds": "evidence", "supported": True, "confidence": 1.0,
    }  # fmt: skip
    if decision.name == "ircot_think":
        return {"sentence": f"So the answer is {last.title}.", "answered": True}
    if "supported" in decision.output.model_fields:
        return {**reply, **reading}
    if "answer" in decision.output.model_fields and "search" in decision.output.model_fields:
        return {**reply, "success": True, "answer": reading, "unverified": [], "search": None}
    return None


def refused(decision: Decision[Any, Any], inputs: Any, reply: Reply) -> Reply | None:
    """Return a refusal, as by a content filter."""
    return {}


AILMENTS: Mapping[str, Callable[[Decision[Any, Any], Any, Reply], Reply | None]] = {
    "invented ids": invented,
    "ids of others": mistaken,
    "sure and wrong": premature,
    "refusals": refused,
}


def _with_ids(
    decision: Decision[Any, Any], inputs: Any, reply: Reply, other: Callable[[str, list[str]], str]
) -> Reply | None:
    """Return the reply with every offered id replaced by ``other``; None where it has none."""
    values = dict.fromkeys(str(one) for offered in decision.offers(inputs).values() for one in offered)
    offered = [one for one in values if not _WORD.fullmatch(one)]  # plain words are actions, scopes and labels
    changed = False

    def walk(held: Any) -> Any:
        nonlocal changed
        if isinstance(held, dict):
            return {key: walk(value) for key, value in held.items()}
        if isinstance(held, list):
            return [walk(one) for one in held]
        if isinstance(held, str) and held in offered:
            changed = True
            return other(held, offered)
        return held

    wrong = walk(reply)
    return wrong if changed else None


# --- the reader ----------------------------------------------------------------------------------
_asked: ContextVar[tuple[Decision[Any, Any], Any, Sequence[PictureAttachment]]] = ContextVar("asked")


class MistakenChat(ReplyingChat):
    """Chat model that gives the recorded replies, except for randomly wrong ones."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    kept: Kept
    ailment: str
    seed: int

    async def replied(self, messages: list[BaseMessage]) -> AIMessage:
        """Return the reply to the last request of its decider."""
        decision, inputs, pictures = _asked.get()
        decided = await self.kept.decide(decision, inputs, pictures)
        reply = decided.output.model_dump(mode="json")
        again = any(isinstance(message, AIMessage) for message in messages)
        wrong = None if again else self._wrong(decision, inputs, pictures, reply)
        charge = decided.charge
        spent = {name: charge[name] for name in ("input_tokens", "output_tokens")}
        return AIMessage(
            json.dumps(reply if wrong is None else wrong),
            usage_metadata={**spent, "total_tokens": sum(spent.values())},  # type: ignore[arg-type]
            response_metadata={"finish_reason": "content_filter" if wrong == {} else "stop"},
        )

    def _wrong(
        self, decision: Decision[Any, Any], inputs: Any, pictures: Sequence[PictureAttachment], reply: Reply
    ) -> Reply | None:
        """Return a wrong reply, if the hash of the request selects it as one of ten; else None."""
        key, _ = record_key(decision, inputs, pictures)
        drawn = int(hashlib.sha256(f"{self.seed} {decision.name} {key}".encode()).hexdigest()[:12], 16) / 16**12
        names = [self.ailment] if self.ailment in AILMENTS else list(AILMENTS)
        if drawn >= SHARE:
            return None
        # If a kind of error does not fit the decision, the next one is tried.
        first = int(drawn / SHARE * len(names))
        every = (AILMENTS[name](decision, inputs, reply) for name in names[first:] + names[:first])
        return next((one for one in every if one is not None), None)


class Mistaken:
    """Decider with this reader.

    Args:
        ailment: one of ``AILMENTS``; any other word draws one for each reply.
        seed: selects the wrong replies.
    """

    name = "mistaken"

    def __init__(self, kept: Kept, ailment: str, seed: int) -> None:
        self._decider = ChatModelDecider(MistakenChat(kept=kept, ailment=ailment, seed=seed), "reader:mistaken")

    async def decide(
        self, decision: Decision[Any, Any], inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        """Take one decision. Raises the errors of a chat model's decider."""
        _asked.set((decision, inputs, pictures))
        return await self._decider.decide(decision, inputs, pictures, allowance=allowance)
