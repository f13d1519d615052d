"""hand_over: what was found for a part, unread: the source reads once what it found for all parts (ours)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.hm_rag.agents.agent import reply_without_answer
from backtrail.nodes.node import SyncNode
from backtrail.state.hm_rag.memory import AgentReply, Reading
from backtrail.state.settings import Settings


class HandOverWrites(TypedDict):
    """A reply that holds what was found, and no answer."""

    replies: list[AgentReply]


def hand_over() -> SyncNode[Reading, HandOverWrites]:
    """Node: nothing is decided here."""

    def reply_unread(state: Reading, runtime: Runtime[Settings]) -> HandOverWrites:
        return {"replies": [reply_without_answer(state, "searched", "", state["retrieved"])]}

    return reply_unread
