"""examine_chunk: examine several candidates in one call, and judge whether they are enough (ours).

A reader handles ten paragraphs or a few pictures as well as one, and can compare them. Pictures that cannot be opened
are judged by their words, and the failure is recorded.
"""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.shorten import shortened
from backtrail.nodes.mmapg.examine import examined, finding_of, missing_component, picture_unreadable
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.openable_pictures import openable_pictures
from backtrail.nodes.take_decision import Taken, settings_of, take
from backtrail.state.decision import Decision
from backtrail.state.failure import Failure
from backtrail.state.mmapg.examine_decisions import (
    EXAMINE_PICTURES,
    EXAMINE_TEXTS,
    ChunkExamination,
    ExamineChunkInputs,
    Examined,
    ExaminePicturesInputs,
)
from backtrail.state.mmapg.memory import ExaminingChunk, Finding
from backtrail.state.mmapg.planning_graph import number_of
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox

SAID_CHARACTERS = 700
CHUNK_CHARACTERS = 1_200
"""Characters of a text in a chunk; longer ones show their most relevant sentences (ours)."""


class ChunkWrites(TypedDict, total=False):
    """A finding for each candidate, and whether they settle the instruction."""

    findings: dict[str, Finding]
    settled: bool
    usage: dict[str, Charge]
    failures: list[Failure]


def examine_texts(toolbox: Toolbox) -> AsyncNode[ExaminingChunk, ChunkWrites]:
    """Node: read a chunk of texts and tables. Without a valid examination they are dropped, with a record."""

    async def read_chunk(state: ExaminingChunk, runtime: Runtime[Settings]) -> ChunkWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        shown, missing = await asyncio.to_thread(_shown, corpus, state)
        return await _examine(toolbox, settings, EXAMINE_TEXTS, state, shown, [], missing)

    return read_chunk


def examine_pictures(toolbox: Toolbox) -> AsyncNode[ExaminingChunk, ChunkWrites]:
    """Node: look at a chunk of pictures, or read their words if no model sees."""

    async def look_at_chunk(state: ExaminingChunk, runtime: Runtime[Settings]) -> ChunkWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        shown, missing = await asyncio.to_thread(_shown, corpus, state)
        components = await asyncio.to_thread(corpus.components, list(shown))
        pictures, left_out = await openable_pictures(
            corpus, [components[key] for key in shown if key in components], settings, "vlm"
        )
        lost = [picture_unreadable(state["node"], _place(state, key), key, why) for key, why in left_out.items()]
        return await _examine(toolbox, settings, EXAMINE_PICTURES, state, shown, pictures, missing + lost)

    return look_at_chunk


async def _examine(
    toolbox: Toolbox,
    settings: Settings,
    decision: Decision[Any, ChunkExamination],
    state: ExaminingChunk,
    shown: dict[str, Examined],
    pictures: list[PictureAttachment],
    failures: list[Failure],
) -> ChunkWrites:
    if not shown:
        return {"failures": failures}
    seen = {picture.label.removeprefix("Picture of ") for picture in pictures}
    candidates = _without_repeats([one.model_copy(update={"has_picture": key in seen}) for key, one in shown.items()])
    inputs = ExamineChunkInputs(instruction=state["instruction"], found=state["found"], candidates=candidates)
    if decision is EXAMINE_PICTURES:
        inputs = ExaminePicturesInputs(**dict(inputs), question=state["image_question"])
    name = decision.name.removeprefix("mmapg_")
    taken = await take(
        toolbox, settings, decision, inputs,
        node=name, step=number_of(state["node"]["id"]), spent=state["spent"], pictures=pictures,
    )  # fmt: skip
    place = f".{state['index']}"
    return {
        "findings": _findings(state, taken, shown, seen),
        "settled": bool(taken.output and taken.output.settled),
        "usage": {key + place: spent for key, spent in taken.usage.items()},
        "failures": failures + [{**failure, "id": failure["id"] + place} for failure in taken.failures],
    }


def _without_repeats(candidates: list[Examined]) -> list[Examined]:
    """Show a row or sentence that led to several candidates at the first of them only."""
    first: dict[str, str] = {}
    shown: list[Examined] = []
    for one in candidates:
        led = one.linking_piece
        if led and first.setdefault(led, one.id) != one.id:
            one = one.model_copy(update={"linking_piece": f"the same as of {first[led]}"})
        shown.append(one)
    return shown


def _findings(
    state: ExaminingChunk, taken: Taken[ChunkExamination], shown: dict[str, Examined], seen: set[str]
) -> dict[str, Finding]:
    """Return a finding per candidate; unnamed ones are unrelated. Empty without a valid examination."""
    if taken.output is None:
        return {}
    related = {one.component: one.says for one in reversed(taken.output.findings) if one.related}
    found: dict[str, Finding] = {}
    for candidate in state["candidates"]:
        key = candidate["component"]
        if key in shown:
            says = related.get(key, "").strip()
            if key in related and not says:  # related, without a summary
                says = shown[key].text or shown[key].title
            says = shortened(says, state["instruction"], SAID_CHARACTERS)
            found[key] = finding_of(candidate, related=key in related, says=says, pixels=key in seen)
    return found


def _shown(corpus: CorpusReader, state: ExaminingChunk) -> tuple[dict[str, Examined], list[Failure]]:
    """Return the examiner's views, and a failure per candidate that an ingest removed. Reads the corpus."""
    shown: dict[str, Examined] = {}
    missing: list[Failure] = []
    for candidate in state["candidates"]:
        one = examined(corpus, candidate, state["instruction"])
        if one is None:
            missing.append(
                missing_component(state["node"], _place(state, candidate["component"]), candidate["component"])
            )
        else:
            text = one.text if one.modality == "table" else shortened(one.text, state["instruction"], CHUNK_CHARACTERS)
            shown[one.id] = one.model_copy(update={"text": text})
    return shown, missing


def _place(state: ExaminingChunk, component: str) -> str:
    """Return a candidate's chunk and position there, for ids of failures."""
    members = [candidate["component"] for candidate in state["candidates"]]
    return f"{state['index']}.{members.index(component)}"
