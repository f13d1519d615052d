"""hand_over: reply with unread results for a part: a source reads those of all parts at once (ours)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.hm_rag.agents.agent import reply_without_answer
from backtrail.nodes.node import SyncNode
from backtrail.state.hm_rag.memory import AgentReply, Reading
from backtrail.state.settings import Settings


class HandOverWrites(TypedDict):
    """A reply with results and no answer."""

    replies: list[AgentReply]


def hand_over() -> SyncNode[Reading, HandOverWrites]:
    """Node: reply without a decision."""

    def reply_unread(state: Reading, runtime: Runtime[Settings]) -> HandOverWrites:
        return {"replies": [reply_without_answer(state, "searched", "", state["retrieved"])]}

    return reply_unread
