"""refine: let the expert answer from the question, its picture, all answers and evidence (HM-RAG 3.4)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.options import meant
from backtrail.nodes.hm_rag.agents.read import Read, attach_all, done_reading, missing_pictures
from backtrail.nodes.hm_rag.agents.reading import Shown, read_contents
from backtrail.nodes.hm_rag.combine import union
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.hm_rag.vote import with_option
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.answer_grounds import knowledge_with_evidence
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.choice_decisions import OptionView
from backtrail.state.failure import Failure, failures_of_models
from backtrail.state.hm_rag.decisions import REFINE, AgentAnswer, RefineInputs
from backtrail.state.hm_rag.memory import AgentReply, Option, Position, Retrieved, Verdict
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.hop import Scored
from backtrail.state.own_knowledge_decisions import ANSWER_ALONE, AnswerAloneInputs
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

NOTHING_FOUND = "I found nothing that bears on this question."
NOT_ASKED = "This source could not be asked."
EXPERT_ALONE = replace(ANSWER_ALONE, role="expert")


class RefineSlice(TypedDict):
    """All results and answers."""

    full_question: str
    options: list[Option]
    image: str | None
    subqueries: list[Subquery]
    replies: list[AgentReply]
    positions: list[Position]
    usage: dict[str, Charge]


class RefineWrites(TypedDict):
    """The expert's answer, or its abstention."""

    verdict: Verdict
    usage: dict[str, Charge]
    failures: list[Failure]


def refine(toolbox: Toolbox) -> AsyncNode[RefineSlice, RefineWrites]:
    """Node: ask the expert. Without a valid reply the run abstains: no answer is picked by chance."""

    async def ask_expert(state: RefineSlice, runtime: Runtime[Settings]) -> RefineWrites:
        settings = settings_of(runtime)
        retrieved = everything(state["replies"], state["positions"])
        if not retrieved["components"] and not retrieved["triplets"]:
            return await _unaided(toolbox, settings, state)
        if read_already(state["positions"], state["replies"], settings):
            return {"verdict": _read_in_vain(state["positions"]), "usage": {}, "failures": []}
        most = settings.hm_rag.expert_evidence
        shown = await asyncio.to_thread(read_contents, toolbox, settings, state["full_question"], retrieved, most)
        inputs = RefineInputs(
            question=state["full_question"],
            knowledge=knowledge_with_evidence(settings, "both"),
            known=[f"{one['text']}: {one['answer']}" for one in state["subqueries"] if one["answer"]],
            evidence=shown.texts,
            options=[OptionView(**option) for option in state["options"]],
            answers=[_view(one, shown, spans=HM_RAG.of(settings.variant).votes_on_spans) for one in state["positions"]],
        )
        pictures, missing = await attach_all(toolbox, settings, state.get("image"), shown, retrieved, "expert")
        taken = await take(
            toolbox, settings, REFINE, inputs, node="refine", step=0, spent=state["usage"], pictures=pictures
        )
        done = done_reading(taken, shown, missing_pictures(missing, "refine", 0))
        return {"verdict": _verdict(done, state), "usage": done.usage, "failures": done.failures}

    return ask_expert


async def _unaided(toolbox: Toolbox, settings: Settings, state: RefineSlice) -> RefineWrites:
    """Let the expert answer from own knowledge, without citations, since nothing was found. Rules abstain."""
    if settings.expert == OFFLINE:
        return {"verdict": _abstained(NOTHING_FOUND), "usage": {}, "failures": []}
    image = state.get("image")
    options = "; ".join(f"({option['label']}) {option['text']}" for option in state["options"])
    inputs = AnswerAloneInputs(
        question=" ".join([state["full_question"], *([f"Options: {options}"] if options else [])]),
        has_picture=bool(image) and sees_pictures(settings, "expert"),
        searched=[f"{one['source']}: {_reason(one)}" for one in state["positions"]],
    )
    taken = await take(
        toolbox, settings, EXPERT_ALONE, inputs, node="refine", step=0, spent=state["usage"],
        pictures=await attach_question_picture(toolbox, image, settings, "expert"),
    )  # fmt: skip
    own = taken.output
    if own is None or not own.known:
        return {
            "verdict": _abstained(own.text if own else NOTHING_FOUND),
            "usage": taken.usage,
            "failures": taken.failures,
        }
    label = meant(own.short or own.text, [(option["label"], option["text"]) for option in state["options"]])
    verdict: Verdict = {
        "by": "expert", "short": own.short.strip(), "text": with_option(own.text.strip(), label, state["options"]),
        "option": label, "citations": [], "confidence": round(own.confidence, 4), "abstained": False,
    }  # fmt: skip
    return {"verdict": verdict, "usage": taken.usage, "failures": taken.failures}


def read_already(positions: list[Position], replies: list[AgentReply], settings: Settings) -> bool:
    """Return whether the expert has read all results before, as the reader of the only source (ours).

    An expert with another model is asked anyway.
    """
    if not saves_calls(settings) or settings.expert != settings.reader:
        return False
    found = {one["source"] for one in replies if one["retrieved"]["components"] or one["retrieved"]["triplets"]}
    return len(found) == 1 and all(one["status"] == "abstained" for one in positions if one["source"] in found)


def _read_in_vain(positions: list[Position]) -> Verdict:
    reason = next((one["reason"] for one in positions if one["status"] == "abstained"), NOTHING_FOUND)
    return {**_abstained(reason), "by": "nobody"}


def everything(replies: list[AgentReply], positions: list[Position]) -> Retrieved:
    """Join all results: cited components first, then by reciprocal ranks over all searches."""
    found = union(replies)
    cited = dict.fromkeys(citation["component"] for one in positions for citation in one["citations"])
    first: list[Scored] = [{"id": key, "score": 1.0} for key in cited]
    rest = [one for one in found["components"] if one["id"] not in cited]
    return {**found, "components": first + rest}


def _view(position: Position, shown: Shown, *, spans: bool) -> AgentAnswer:
    answered = position["status"] == "answered"
    return AgentAnswer(
        source=position["source"],
        status=position["status"],
        short=position.get("short", "") if spans else "",
        text=position["text"] if answered else _reason(position),
        option=position["option"],
        confidence=position["confidence"],
        citations=shown.pieces(position["citations"]),
    )


def _reason(position: Position) -> str:
    """Return why a source gave no answer, without error messages.

    They are in the failures, for people: they do not help a model, and may name the host's folders.
    """
    return NOT_ASKED if position["status"] == "failed" else position["reason"]


def _verdict(done: Read, state: RefineSlice) -> Verdict:
    if done.output is None:
        each = "; ".join(f"{one['source']}: {one['text']}" for one in state["positions"] if one["status"] == "answered")
        apart = f" The sources say: {each}." if each else ""
        how = f" It failed: {failed[-1]['message']}" if (failed := failures_of_models(done.failures)) else ""
        return _abstained(f"The sources do not agree, and the expert gave no valid answer.{how}{apart}")
    if not done.output.supported:
        return _abstained(done.output.text)
    return {
        "by": "expert",
        "short": done.output.short.strip(),
        "text": with_option(done.output.text.strip(), done.output.option, state["options"]),
        "option": done.output.option,
        "citations": done.citations,
        "confidence": round(done.output.confidence, 4),
        "abstained": False,
    }


def _abstained(text: str) -> Verdict:
    return {
        "by": "nobody" if text == NOTHING_FOUND else "expert", "text": text, "option": None, "citations": [],
        "confidence": 0.0, "abstained": True,
    }  # fmt: skip
