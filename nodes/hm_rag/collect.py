"""collect: form the position of each source, once all agents are done."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.similarity import tokens
from backtrail.nodes.hm_rag.dependency_order import unsearched
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.hm_rag.memory import AgentReply, Position, Status
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery

NOT_ASKED = "It was not asked: the budget allows no more steps."


class CollectSlice(TypedDict):
    """All replies."""

    replies: list[AgentReply]
    subqueries: list[Subquery]
    stop_reason: str


class CollectWrites(TypedDict, total=False):
    """A position per source and the outcome of each sub-question; or a next wave of parts."""

    positions: list[Position]
    subqueries: list[Subquery]
    next_wave: bool


def collect() -> SyncNode[CollectSlice, CollectWrites]:
    """Node: positions of the sources, in the order of the settings."""

    def gather_positions(state: CollectSlice, runtime: Runtime[Settings]) -> CollectWrites:
        settings = settings_of(runtime)
        thrift, bounded = saves_calls(settings), bool(state.get("stop_reason"))
        if thrift and not bounded and unsearched(state["subqueries"], state["replies"]):
            return {"next_wave": True}
        return {
            "next_wave": False,
            "positions": [
                _position(source, [one for one in state["replies"] if one["source"] == source], settings)
                for source in settings.hm_rag.sources
            ],
            "subqueries": [] if thrift else [_closed(one, state["replies"]) for one in state["subqueries"]],
        }

    return gather_positions


def position(source: str, status: Status, reason: str) -> Position:
    """Build the position of a source without an answer."""
    return {
        "source": source, "status": status, "text": "", "summary": "", "option": None, "confidence": 0.0,
        "citations": [], "reason": reason, "todo": [],
    }  # fmt: skip


def answered(base: Position, reply: AgentReply, settings: Settings) -> Position:
    """Build the position of a source with an answer; only long answers of a vote are summarised.

    The vote compares the short answer; in the paper, which has none, the answer itself.
    """
    spans = HM_RAG.of(settings.variant).votes_on_spans
    compared = (reply.get("short") if spans else "") or reply["text"]
    voted = not saves_calls(settings) and settings.hm_rag.decision_agent and len(settings.hm_rag.sources) > 1
    long = voted and len(tokens(compared)) > settings.hm_rag.summary_words
    chosen = reply["option"] is not None
    return {
        **base,
        "status": "answered",
        "short": reply.get("short", ""),
        "text": reply["text"],
        "summary": "" if long or _to_be_summarised(compared, settings) else compared,
        "option": reply["option"],
        "confidence": reply["confidence"],
        "citations": reply["citations"],
        "reason": "",
        "todo": ["summarise"] if long and not chosen else [],
    }


def _to_be_summarised(compared: str, settings: Settings) -> bool:
    """Return whether an answer is long, to be summarised only if the vote without summaries fails."""
    return saves_calls(settings) and len(tokens(compared)) > settings.hm_rag.summary_words


def _position(source: str, replies: list[AgentReply], settings: Settings) -> Position:
    if not replies:
        return position(source, "failed", NOT_ASKED)
    unread = any(one["status"] == "searched" for one in replies)
    if unread or (len(replies) > 1 and any(_has_found(one) for one in replies)):
        return {**position(source, "abstained", "Its answers to the parts are not combined yet."), "todo": ["combine"]}
    reply = next((one for one in replies if one["status"] == "answered"), replies[0])
    if reply["status"] == "answered":
        return answered(position(source, "answered", ""), reply, settings)
    reasons = dict.fromkeys(one["reason"] for one in replies)
    status: Status = "failed" if any(one["status"] == "failed" for one in replies) else "abstained"
    return position(source, status, " ".join(reasons))


def _has_found(reply: AgentReply) -> bool:
    return bool(reply["retrieved"]["components"] or reply["retrieved"]["triplets"])


def _closed(subquery: Subquery, replies: list[AgentReply]) -> Subquery:
    """Set a sub-question's answer to the best supported one, or give it up."""
    replies_to_it = [one for one in replies if one["subquery"] == subquery["id"] and one["status"] == "answered"]
    best = max(replies_to_it, key=lambda one: one["confidence"], default=None)
    if best is None:
        return {**subquery, "status": "given_up"}
    cited = best["citations"][0]["component"] if best["citations"] else None
    return {**subquery, "status": "answered", "answer": best["text"][:400], "answered_by": cited}
