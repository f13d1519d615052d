"""combine: answer the whole question for one source, from its answers and results for the parts."""

from __future__ import annotations

from langgraph.runtime import Runtime

from backtrail.nodes.hm_rag.agents.agent import NOTHING
from backtrail.nodes.hm_rag.agents.read import UNREADABLE, most_read, read_source
from backtrail.nodes.hm_rag.collect import answered, position
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.choice_decisions import ChoiceReading
from backtrail.state.hm_rag.memory import (
    AgentReply,
    FoundPicture,
    FoundTriplet,
    Position,
    Retrieved,
    Settled,
    SettleTask,
)
from backtrail.state.settings import Settings
from backtrail.tools.corpus.search.reciprocal_rank_fusion import fuse
from backtrail.tools.toolbox import Toolbox

MOST_COMPONENTS = 100


def combine(toolbox: Toolbox) -> AsyncNode[SettleTask, Settled]:
    """Node: the source reads its results for all parts; its answers to them, if any, are notes."""

    async def combine_parts(state: SettleTask, runtime: Runtime[Settings]) -> Settled:
        settings = settings_of(runtime)
        source = state["position"]["source"]
        own = [f"{one['question']}: {one['text']}" for one in state["replies"] if one["status"] == "answered"]
        notes = own or state["notes"]
        done = await read_source(
            toolbox, settings, state["question"], state["options"], notes, union(state["replies"]),
            state.get("image"), most=2 * most_read(settings),
            node=f"{source}.combine", step=0, spent=state["spent"],
        )  # fmt: skip
        own_position = position(source, "failed", UNREADABLE)
        if done.output is not None and not done.output.supported:
            own_position = position(source, "abstained", done.output.text)
        elif done.output is not None:
            own_position = _answered(own_position, state, done.output, settings)
            own_position["citations"] = done.citations
        return {"positions": [own_position], "usage": done.usage, "failures": done.failures}

    return combine_parts


def _answered(base: Position, state: SettleTask, read: ChoiceReading, settings: Settings) -> Position:
    reply: AgentReply = {
        **state["replies"][0], "short": read.short.strip(), "text": read.text.strip(),
        "option": read.option, "confidence": round(read.confidence, 4),
    }  # fmt: skip
    return answered(base, reply, settings)


def union(replies: list[AgentReply]) -> Retrieved:
    """Join the results of several searches: components by reciprocal ranks, triplets by score, each once."""
    triplets: dict[str, FoundTriplet] = {}
    pictures: dict[str, FoundPicture] = {}
    for reply in replies:
        for one in reply["retrieved"]["triplets"]:
            if one["id"] not in triplets or one["score"] > triplets[one["id"]]["score"]:
                triplets[one["id"]] = one
        pictures.update({one["blob"]: one for one in reply["retrieved"]["pictures"]})
    return {
        **NOTHING,
        "components": fuse([reply["retrieved"]["components"] for reply in replies], MOST_COMPONENTS),
        "triplets": sorted(triplets.values(), key=lambda one: (-one["score"], one["id"])),
        "pictures": list(pictures.values()),
    }
