"""answer: read the top k and answer with citations, or abstain (FiF section 5.3, reader)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import NotRequired

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.short_answers import short_form
from backtrail.nodes.closed_turn import AnswerWrites, closed_turn, without_answer
from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.citing import citation
from backtrail.nodes.reading.contents import evidence_text
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText, Reading
from backtrail.state.component import Component, Document
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader

NOTHING_FOUND = "I found nothing in the corpus that bears on this question."
NO_VALID_READING = "I found evidence, but no valid answer could be read from it; see the recorded failures."


class AnswerSlice(TypedDict):
    """The ranking, and what was learnt on the way. ``queries``: what the question was last reformulated to."""

    messages: list[AnyMessage]
    question: str
    image: str | None
    queries: NotRequired[list[str]]
    subqueries: list[Subquery]
    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]
    failures: NotRequired[list[Failure]]


@dataclass(frozen=True)
class Read:
    """An answer from a ranking, with what it cost and what failed.

    ``failed``: the node at which a model failed, when that is why there is no answer.
    """

    answer: Answer
    usage: dict[str, Charge]
    failures: list[Failure]
    failed: str = ""


def answer(toolbox: Toolbox) -> AsyncNode[AnswerSlice, AnswerWrites]:
    """Node: answer from the ranking alone."""

    async def read_evidence(state: AnswerSlice, runtime: Runtime[Settings]) -> AnswerWrites:
        read = await read_ranking(toolbox, settings_of(runtime), state, node="answer", step=0)
        earlier = state.get("messages", [])
        return closed_turn(read.answer, state["question"], earlier, read.usage, read.failures, read.failed)

    return read_evidence


async def read_ranking(toolbox: Toolbox, settings: Settings, state: AnswerSlice, *, node: str, step: int) -> Read:
    """Have the ranked evidence read, with the pictures among it and the question's own."""
    if not state["ranking"]:
        nothing, failed = without_answer(NOTHING_FOUND, state.get("failures", []))
        return Read(nothing, {}, [], failed)
    contents = toolbox.contents(settings)
    components, documents, texts = await asyncio.to_thread(_evidence_texts, contents, state)
    pictures = [
        *await attach_question_picture(toolbox, state.get("image"), settings, "reader"),
        *await attach_pictures(contents, list(components.values()), settings, "reader"),
    ]
    taken = await take(
        toolbox, settings, ANSWER,
        AnswerInputs(
            question=state["question"], queries=state.get("queries") or [], known=_known(state), evidence=texts
        ),
        node=node, step=step, spent=state["usage"], pictures=pictures,
    )  # fmt: skip
    if taken.output is None:
        unread, failed = without_answer(NO_VALID_READING, taken.failures)
        return Read(unread, taken.usage, taken.failures, failed)
    return Read(_answer(taken.output, components, documents, texts), taken.usage, taken.failures)


def _known(state: AnswerSlice) -> list[str]:
    return [f"{subquery['text']}: {subquery['answer']}" for subquery in state["subqueries"] if subquery["answer"]]


def _evidence_texts(
    contents: ContentsReader, state: AnswerSlice
) -> tuple[dict[str, Component], dict[str, Document], list[EvidenceText]]:
    scores = {scored["id"]: scored["score"] for scored in state["ranking"]}
    held = contents.components(list(scores))
    components = {key: held[key] for key in scores if key in held}
    documents = contents.documents({component.document for component in components.values()})
    texts: list[EvidenceText] = []
    for key, component in components.items():
        text = evidence_text(component, documents.get(component.document), scores[key])
        found = state["evidence"].get(key)
        parent = found.get("parent") if found else None
        if found and parent in components:
            text = text.model_copy(update={"parent": parent, "parent_row": found.get("parent_row")})
        texts.append(text)
    return components, documents, texts


def _answer(
    reading: Reading, components: dict[str, Component], documents: dict[str, Document], texts: list[EvidenceText]
) -> Answer:
    by_id = {text.id: text for text in texts}
    citations = [
        citation(piece, component, documents.get(component.document), by_id[component.id])
        for piece in reading.citations
        for component in [components[piece.component]]
    ]
    return {
        "short": short_form(reading.short, reading.text) if reading.supported else "",
        "text": reading.text,
        "citations": citations if reading.supported else [],
        "confidence": round(reading.confidence, 4) if reading.supported else 0.0,
        "abstained": not reading.supported,
    }
