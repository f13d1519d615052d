"""deliver: give the verdict as the answer, and rank everything that was found."""

from __future__ import annotations

import asyncio
from itertools import zip_longest
from typing import NotRequired

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.short_answers import short_form
from backtrail.nodes.end_turn import TurnSlice, end_turn, stopped_at, without_answer
from backtrail.nodes.graph_traversal.deduplicate import changed_duplicates, deduplicate_by_id
from backtrail.nodes.hm_rag.combine import union
from backtrail.nodes.hm_rag.quote_fallback import quotes_of
from backtrail.nodes.hm_rag.refine import everything
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.abstain_below_confidence import abstain_below_confidence
from backtrail.nodes.reading.answer_grounds import with_grounds
from backtrail.nodes.take_decision import settings_of
from backtrail.rules.reader.answer import level
from backtrail.rules.reader.quotes import MOST_QUOTES
from backtrail.state.answer import Answer, Citation
from backtrail.state.budget import exceeded
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure, failures_of_models
from backtrail.state.hm_rag.memory import AgentReply, Option, Position, Verdict
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.hop import Scored
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class DeliverSlice(TurnSlice):
    """The verdict, and the results."""

    full_question: str
    options: list[Option]
    replies: list[AgentReply]
    positions: list[Position]
    verdict: Verdict
    usage: dict[str, Charge]
    failures: NotRequired[list[Failure]]


class DeliverWrites(TypedDict):
    """The outcome, also as a message for chat front ends."""

    answer: Answer
    messages: list[AnyMessage]
    image: None
    ranking: list[Scored]
    evidence: dict[str, Evidence]
    stop_reason: str


def deliver(toolbox: Toolbox) -> AsyncNode[DeliverSlice, DeliverWrites]:
    """Node: deliver. Ranked are cited components, then results of the best supported source, then all.

    On linked tables Recall@10 is 83.3 so, and 81.7 by reciprocal ranks over all sources alone.
    """

    async def hand_over(state: DeliverSlice, runtime: Runtime[Settings]) -> DeliverWrites:
        settings = settings_of(runtime)
        verdict = state["verdict"]
        reply: Answer = {
            "short": "" if verdict["abstained"] else short_form(verdict.get("short", ""), verdict["text"]),
            "text": verdict["text"],
            "citations": verdict["citations"],
            "confidence": verdict["confidence"],
            "abstained": verdict["abstained"],
        }
        if not verdict["citations"]:  # an answer from evidence cites it
            reply = with_grounds(reply, "own")
        failed = ""
        if verdict["abstained"] and _failed(state):
            reply, failed = without_answer(reply["text"], state.get("failures", []))
            found = everything(state["replies"], state["positions"])
            reply = await quotes_of(toolbox, settings, state["full_question"], state["options"], found, reply)
        ranking = await asyncio.to_thread(_ranking, toolbox, verdict, state, settings)
        reply = abstain_below_confidence(_calibrated(reply, state["replies"], ranking, settings, toolbox), settings)
        over = state.get("stop_reason") or exceeded(state["usage"], 0, settings.budget)
        ended = stopped_at(failed) if failed else over or _outcome(verdict)
        listed = changed_duplicates(ranking, state["evidence"])
        ended_state: DeliverSlice = {**state, "evidence": {**state["evidence"], **listed}}
        closed = await asyncio.to_thread(end_turn, toolbox, settings, ended_state, reply, {}, [], stop_reason=ended)
        return {
            "answer": closed.get("answer", reply),
            "messages": closed.get("messages", []),
            "image": None,
            "ranking": ranking,
            "evidence": listed,
            "stop_reason": ended,
        }

    return hand_over


def _failed(state: DeliverSlice) -> bool:
    """Return whether models failed for every source, or for the expert after no source had an answer."""
    statuses = {one["status"] for one in state["positions"]}
    failures = failures_of_models(state.get("failures", []))
    return statuses <= {"failed"} or (
        "answered" not in statuses and bool(failures) and failures[-1]["node"] == "refine"
    )


def _calibrated(
    reply: Answer, replies: list[AgentReply], ranking: list[Scored], settings: Settings, toolbox: Toolbox
) -> Answer:
    """Add the confidence level and the agents' quotes if rules read and decided."""
    read = [one for one in replies if one.get("quotes")]
    if settings.reader != OFFLINE or settings.expert != OFFLINE or not read:
        return reply
    best = sorted(read, key=lambda one: -one["confidence"])
    in_turn = [one for turn in zip_longest(*(agent.get("quotes", []) for agent in best)) for one in turn if one]
    best_reading = next((one for one in best if one["text"] and one["text"] in reply["text"]), best[0])
    probability = 0.0 if reply["abstained"] else reply["confidence"]
    return {
        **reply,
        "calibrated": {
            "short": "" if reply["abstained"] else reply.get("short") or reply["text"],
            "level": level(probability, best_reading.get("signals", {})),
            "probability": probability,
            "signals": best_reading.get("signals", {}),
        },
        "quotes": _distinct(in_turn, ranking)[:MOST_QUOTES],
    }


def _distinct(quotes: list[Citation], ranking: list[Scored]) -> list[Citation]:
    """Return quotes of different places; of duplicates, those of the ranked component."""
    first = {other: scored["id"] for scored in ranking for other in scored.get("duplicates", [])}
    once: dict[tuple[str, int | None, int | None], Citation] = {}
    for one in reversed(quotes):
        at = (first.get(one["component"], one["component"]), one["locator"].get("row"), one["locator"].get("sentence"))
        if at not in once or one["component"] not in first or once[at]["component"] in first:
            once[at] = one  # keeps the place of the replaced one
    return list(once.values())[::-1]


def _outcome(verdict: Verdict) -> str:
    return f"{'abstained' if verdict['abstained'] else 'answered'}:{verdict['by']}"


def _ranking(toolbox: Toolbox, verdict: Verdict, state: DeliverSlice, settings: Settings) -> list[Scored]:
    """Rank by 1/rank: cited and found components have no common scale. Reads the corpus (blocking)."""
    cited = [citation["component"] for citation in verdict["citations"]]
    best = max(state["positions"], key=lambda one: one["confidence"], default=None)
    own = [reply for reply in state["replies"] if best and best["confidence"] and reply["source"] == best["source"]]
    found = [*union(own)["components"], *everything(state["replies"], state["positions"])["components"]]
    keys = list(dict.fromkeys([*cited, *(one["id"] for one in found)]))
    ranked: list[Scored] = [{"id": key, "score": round(1 / place, 6)} for place, key in enumerate(keys, start=1)]
    once = HM_RAG.of(settings.variant).deduplicate_components
    return deduplicate_by_id(toolbox.contents(settings), ranked, settings.k) if once else ranked[: settings.k]
