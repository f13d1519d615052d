"""conclude: the last Answer node's content is the answer; its sources and all others are ranked (MMAPG section 3.3)."""

from __future__ import annotations

import time

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of
from backtrail.nodes.node import SyncNode
from backtrail.nodes.walking.source_scores import source_scores
from backtrail.state.answer import Answer
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.state.mmapg.planning_graph import PlanningNode, last_answer
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.toolbox import Toolbox

NOT_ANSWERED = "I found no answer."


class ConcludeSlice(TypedDict):
    """The graph as it ended."""

    messages: list[AnyMessage]
    question: str
    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]


class ConcludeWrites(TypedDict):
    """The outcome, also as a message for chat front ends."""

    answer: Answer
    ranking: list[Scored]
    messages: list[AnyMessage]
    image: None
    usage: dict[str, Charge]


def conclude(toolbox: Toolbox) -> SyncNode[ConcludeSlice, ConcludeWrites]:
    """Node: hand over the answer, and rank the sources that the graph used."""

    def hand_over(state: ConcludeSlice, runtime: Runtime[Settings]) -> ConcludeWrites:
        settings = settings_of(runtime)
        started = time.perf_counter()
        used = {source for node in state["planning_graph"] for source in node["sources"]}
        scores = source_scores(toolbox.corpus(settings), state["question"], used, state["evidence"])
        return {
            "answer": _answer(state["planning_graph"]),
            "ranking": [{"id": key, "score": score} for key, score in scores[: settings.k]],
            "messages": _messages(state, _answer(state["planning_graph"])),
            # The picture belonged to this question: the next one on the thread brings its own.
            "image": None,
            "usage": {"conclude@0": charge(stage="vectors", seconds=time.perf_counter() - started)},
        }

    return hand_over


def _answer(nodes: list[PlanningNode]) -> Answer:
    last = last_answer(nodes)
    held = last.get("answer") if last else None
    return held or {"text": NOT_ANSWERED, "citations": [], "confidence": 0.0, "abstained": True}


def _messages(state: ConcludeSlice, answer: Answer) -> list[AnyMessage]:
    messages: list[AnyMessage] = [AIMessage(content=answer["text"])]
    earlier = state.get("messages", [])
    if not (earlier and earlier[-1].type == "human"):
        # Asked through the question field: keep the turn whole for follow-ups.
        messages.insert(0, HumanMessage(content=state["question"]))
    return messages
