"""read: every agent's last step, an answer from its own results alone (HM-RAG 3.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.hm_rag.agents.agent import reply_without_answer
from backtrail.nodes.hm_rag.agents.reading import Shown, pictures_of, read_contents
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.answer_grounds import knowledge_with_evidence
from backtrail.nodes.reading.pictures import attach_question_picture, attachment, sees_pictures
from backtrail.nodes.reading.piece_similarity import with_piece_similarity
from backtrail.nodes.take_decision import MESSAGE_CHARACTERS, Taken, settings_of, take
from backtrail.state.answer import Citation
from backtrail.state.choice_decisions import ChoiceReading, OptionView, ReadInputs
from backtrail.state.decision import Role
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.decisions import READ
from backtrail.state.hm_rag.memory import AgentReply, Option, Reading, Retrieved
from backtrail.state.offline.extract import ExtractChoice
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, total_usage
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox

MOST_LINKED = 5
"""Most components of linked pages that a search adds to its results (ours)."""
UNREADABLE = "No valid answer could be read from what was found; see the recorded failures."


class ReadWrites(TypedDict):
    """The agent's reply."""

    replies: list[AgentReply]
    usage: dict[str, Charge]
    failures: list[Failure]


@dataclass(frozen=True)
class Read:
    """A reading with citations, and with quotes if rules read; ``output`` is None without a valid one."""

    output: ChoiceReading | None
    citations: list[Citation]
    usage: dict[str, Charge]
    failures: list[Failure]
    quotes: list[Citation] = field(default_factory=list[Citation])


def read(toolbox: Toolbox) -> AsyncNode[Reading, ReadWrites]:
    """Node: one answer from one source. Without a valid one the agent has failed, and says so."""

    async def answer_from_source(state: Reading, runtime: Runtime[Settings]) -> ReadWrites:
        settings = settings_of(runtime)
        done = await read_source(
            toolbox, settings, state["text"], state["options"], [], state["retrieved"], state.get("image"),
            most=most_read(settings), node=f"{state['source']}.read",
            step=state["number"], spent={**state["spent"], "here": total_usage(state.get("usage", {}))},
        )  # fmt: skip
        return {"replies": [_reply(state, done)], "usage": done.usage, "failures": done.failures}

    return answer_from_source


async def read_source(
    toolbox: Toolbox,
    settings: Settings,
    question: str,
    options: Sequence[Option],
    known: list[str],
    retrieved: Retrieved,
    image: str | None,
    *,
    most: int,
    node: str,
    step: int,
    spent: dict[str, Charge],
) -> Read:
    """Take the decision READ over the results of one source."""
    shown = await asyncio.to_thread(read_contents, toolbox, settings, question, retrieved, most)
    texts = await asyncio.to_thread(
        with_piece_similarity, toolbox, settings, "reader", question, shown.texts, shown.rows
    )
    inputs = ReadInputs(
        question=question, knowledge=knowledge_with_evidence(settings, "both"), known=known, evidence=texts,
        options=[OptionView(**option) for option in options],
    )  # fmt: skip
    pictures, missing = await attach_all(toolbox, settings, image, shown, retrieved, "reader")
    taken = await take(toolbox, settings, READ, inputs, node=node, step=step, spent=spent, pictures=pictures)
    return done_reading(taken, shown, missing_pictures(missing, node, step))


def most_read(settings: Settings) -> int:
    """Return how many components of one search are read, linked ones included where they are added."""
    return max(settings.k, settings.hm_rag.subgraph_texts) + (MOST_LINKED if saves_calls(settings) else 0)


def done_reading(taken: Taken[ChoiceReading], shown: Shown, failures: list[Failure]) -> Read:
    """Build a reading with citations that point into the sources."""
    output = taken.output
    cited = shown.citations(output.citations) if output and output.supported else []
    quotes = shown.citations(output.extract.quotes) if isinstance(output, ExtractChoice) else []
    return Read(output, cited, taken.usage, failures + taken.failures, quotes)


async def attach_all(
    toolbox: Toolbox, settings: Settings, image: str | None, shown: Shown, retrieved: Retrieved, role: Role
) -> tuple[list[PictureAttachment], list[str]]:
    """Attach the question's picture and those of the results; list missing ones. None for the rules."""
    attached = await attach_question_picture(toolbox, image, settings, role)
    missing: list[str] = []
    if not sees_pictures(settings, role):
        return attached, missing
    read = [shown.components[text.id] for text in shown.texts if text.id in shown.components]
    for label, blob in pictures_of(retrieved["pictures"], read, settings.pictures):
        try:
            content = await asyncio.to_thread(shown.contents.picture, blob)
        except KeyError:  # without the file only its words are read
            missing.append(label)
            continue
        attached.append(attachment(content, label, settings))
    return attached, missing


def missing_pictures(labels: list[str], node: str, step: int) -> list[Failure]:
    """Record one failure for all pictures that could not be shown."""
    if not labels:
        return []
    what = f"Missing, so not shown: {'; '.join(labels)}. Ingest the corpus again to restore them."
    failure: Failure = {
        "id": f"{node}@{step}#pictures", "node": node, "step": step, "error": "PictureMissing",
        "message": what[:MESSAGE_CHARACTERS],
    }  # fmt: skip
    return [failure]


def _reply(state: Reading, done: Read) -> AgentReply:
    output = done.output
    if output is None:
        return reply_without_answer(state, "failed", UNREADABLE, state["retrieved"])
    if not output.supported:
        return _quoted(reply_without_answer(state, "abstained", output.text, state["retrieved"]), done)
    reply: AgentReply = {
        **reply_without_answer(state, "answered", "", state["retrieved"]),
        "short": output.short.strip(),
        "text": output.text.strip(),
        "option": output.option,
        "confidence": round(output.confidence, 4),
        "citations": done.citations,
    }
    return _quoted(reply, done)


def _quoted(reply: AgentReply, done: Read) -> AgentReply:
    """Add the quotes and signals of a reading by rules."""
    if not isinstance(done.output, ExtractChoice):
        return reply
    return {**reply, "quotes": done.quotes, "signals": done.output.extract.signals}
