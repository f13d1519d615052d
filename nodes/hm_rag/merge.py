"""merge: write one answer from those that agree, by a light model (HM-RAG 3.4)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.hm_rag.vote import verdict_of
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.choice_decisions import OptionView
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.decisions import MERGE, AgentAnswer, MergeInputs
from backtrail.state.hm_rag.memory import Option, Position, Verdict, Vote
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class MergeSlice(TypedDict):
    """The winners of the vote."""

    full_question: str
    options: list[Option]
    positions: list[Position]
    vote: Vote
    usage: dict[str, Charge]


class MergeWrites(TypedDict):
    """The answer they agree on."""

    verdict: Verdict
    usage: dict[str, Charge]
    failures: list[Failure]


def merge(toolbox: Toolbox) -> AsyncNode[MergeSlice, MergeWrites]:
    """Node: merge. Without a valid merged answer the best supported of the agreeing ones is taken."""

    async def merge_answers(state: MergeSlice, runtime: Runtime[Settings]) -> MergeWrites:
        settings = settings_of(runtime)
        spans = HM_RAG.of(settings.variant).votes_on_spans
        winners = [one for one in state["positions"] if one["source"] in state["vote"]["winners"]]
        inputs = MergeInputs(
            question=state["full_question"],
            options=[OptionView(**option) for option in state["options"]],
            answers=[
                AgentAnswer(
                    source=one["source"], status="answered", short=one.get("short", "") if spans else "",
                    text=one["text"], option=one["option"], confidence=one["confidence"],
                )
                for one in winners
            ],
        )  # fmt: skip
        taken = await take(
            toolbox, settings, MERGE, inputs, node="merge", step=0, spent=state["usage"]
        )  # fmt: skip
        verdict: Verdict = verdict_of(winners, state["options"], "vote")
        if taken.output:
            verdict["by"] = "merge"
            verdict["short"] = taken.output.short.strip()
            verdict["text"] = taken.output.text.strip()
        return {"verdict": verdict, "usage": taken.usage, "failures": taken.failures}

    return merge_answers
