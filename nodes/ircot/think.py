"""think: write the next sentence of the chain of thought, or end the chain (IRCoT, reason step)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.ircot.deduplicate import deduplicate_retrievals
from backtrail.nodes.ircot.look_up import fuse_retrievals, late_kept
from backtrail.nodes.ircot.prioritize_named import prioritize_named
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.component_views import evidence_text
from backtrail.nodes.reading.fit_prompt_budget import READ_CHARACTERS, fit_prompt_budget
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.budget import exceeded
from backtrail.state.component import Component
from backtrail.state.failure import Failure
from backtrail.state.hop import Hop, Scored
from backtrail.state.ircot.decisions import THINK, NextThought, ThinkInputs
from backtrail.state.ircot.memory import Thought
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox


class ThinkSlice(TypedDict):
    """The question, the chain so far, and all retrievals."""

    question: str
    image: str | None
    thoughts: list[Thought]
    hops: list[Hop]
    usage: dict[str, Charge]


class ThinkWrites(TypedDict, total=False):
    """The next thought, or the stop reason; then also the ranking (ours, with a model)."""

    thoughts: list[Thought]
    ranking: list[Scored]
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def think(toolbox: Toolbox) -> AsyncNode[ThinkSlice, ThinkWrites]:
    """Node: one more sentence. A reached ceiling or the limit of thoughts ends the chain without a call."""

    async def think_on(state: ThinkSlice, runtime: Runtime[Settings]) -> ThinkWrites:
        settings = settings_of(runtime)
        step = len(state["thoughts"])
        over = exceeded(state["usage"], len(state["hops"]), settings.budget)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        if over or step >= settings.ircot.thoughts:
            ended: ThinkWrites = {"stop_reason": over or "limit:thoughts"}
            return ended | await asyncio.to_thread(_ranking, corpus, state["thoughts"], state["hops"], settings)
        components, texts = await asyncio.to_thread(_retrieved, corpus, state, settings)
        taken = await take(
            toolbox, settings, THINK,
            ThinkInputs(
                question=state["question"], thoughts=[thought["text"] for thought in state["thoughts"]], evidence=texts
            ),
            node="think", step=step, spent=state["usage"],
            pictures=[
                *await attach_question_picture(toolbox, state.get("image"), settings, "planner"),
                *await attach_pictures(corpus, components, settings, "planner"),
            ],
        )  # fmt: skip
        writes: ThinkWrites = {"usage": taken.usage, "failures": taken.failures}
        if taken.output is not None and taken.output.sentence.strip():
            writes["thoughts"] = [
                {"step": step, "text": taken.output.sentence.strip(), "answered": taken.output.answered}
            ]
        if taken.failures and (over := exceeded({**state["usage"], **taken.usage}, 0, settings.budget)):
            writes["stop_reason"] = over
        elif reason := _ended(taken.output):
            writes["stop_reason"] = reason
        if "stop_reason" in writes:
            chain = [*state["thoughts"], *writes.get("thoughts", [])]
            writes |= await asyncio.to_thread(_ranking, corpus, chain, state["hops"], settings)
        return writes

    return think_on


def _ended(thought: NextThought | None) -> str:
    """Return why the chain ends with this thought; empty if it continues."""
    if thought is None:
        return "failed:think"
    if thought.answered:
        return "answered"
    return "" if thought.sentence.strip() else "nothing more to think"


def _ranking(corpus: CorpusReader, chain: list[Thought], hops: list[Hop], settings: Settings) -> ThinkWrites:
    """Rank the chain's sources first; as published, and if rules think, the ranking is unchanged."""
    late = late_kept(settings)
    if not late:
        return {}
    return {
        "ranking": prioritize_named(
            corpus, chain, deduplicate_retrievals(corpus, hops, settings)[0], settings.k, late=late
        )
    }


def _retrieved(
    corpus: CorpusReader, state: ThinkSlice, settings: Settings
) -> tuple[list[Component], list[EvidenceText]]:
    """Return the best components of all retrievals, as the reader sees them. Reads the corpus (blocking)."""
    late = late_kept(settings)
    ranked = fuse_retrievals(
        deduplicate_retrievals(corpus, state["hops"], settings)[0], settings.ircot.shown, late=late
    )
    scores = {scored["id"]: scored["score"] for scored in ranked}
    found = corpus.components(list(scores))
    components = {key: found[key] for key in scores if key in found}
    documents = corpus.documents([component.document for component in components.values()])
    if late:
        wanted = " ".join([state["question"], *(thought["text"] for thought in state["thoughts"])])
        texts = fit_prompt_budget(Covering(corpus, wanted), components, documents, {}, READ_CHARACTERS, scores)
        return list(components.values()), list(texts.values())
    return list(components.values()), [
        evidence_text(component, documents.get(component.document), scores[component.id])
        for component in components.values()
    ]
