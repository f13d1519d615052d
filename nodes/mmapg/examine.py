"""examine: judge whether a candidate is related, and what it says (MMAPG 3.4, equations 12 and 13).

Each candidate is examined alone, texts by the reader and pictures by the vision model. A picture that cannot be opened
is judged by its words, and the failure is recorded.
"""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.terms import content_terms
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.link_context import piece_text
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.openable_pictures import openable_pictures
from backtrail.nodes.reading.truncate_component import truncate_component
from backtrail.nodes.take_decision import Taken, settings_of, take
from backtrail.rules.relevance import alone
from backtrail.state.component import Component, Table
from backtrail.state.failure import Failure
from backtrail.state.mmapg.examine_decisions import (
    EXAMINE_PICTURE,
    EXAMINE_TEXT,
    Examined,
    ExaminePictureInputs,
    ExamineTextInputs,
    PictureExamination,
)
from backtrail.state.mmapg.memory import Candidate, ExaminationInput, Finding
from backtrail.state.mmapg.planning_graph import PlanningNode, number_of
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox

READ_CHARACTERS = 2_400


class ExamineWrites(TypedDict):
    """The finding."""

    findings: dict[str, Finding]
    usage: dict[str, Charge]
    failures: list[Failure]


def examine_text(toolbox: Toolbox) -> AsyncNode[ExaminationInput, ExamineWrites]:
    """Node: read one candidate. Without a valid examination it is dropped, and the failure is recorded."""

    async def read_candidate(state: ExaminationInput, runtime: Runtime[Settings]) -> ExamineWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        seen = await asyncio.to_thread(examined, corpus, state["candidate"], state["instruction"])
        if seen is None:
            return {"findings": {}, "usage": {}, "failures": [_gone(state)]}
        return await _read(toolbox, settings, state, seen)

    return read_candidate


def examine_picture(toolbox: Toolbox) -> AsyncNode[ExaminationInput, ExamineWrites]:
    """Node: look at one picture, or read its words if no model sees."""

    async def look_at_picture(state: ExaminationInput, runtime: Runtime[Settings]) -> ExamineWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        seen = await asyncio.to_thread(examined, corpus, state["candidate"], state["instruction"])
        if seen is None:
            return {"findings": {}, "usage": {}, "failures": [_gone(state)]}
        pictures, unreadable = await _picture(corpus, state, settings)
        if unreadable:
            read = await _read(toolbox, settings, state, seen)
            return {**read, "failures": [unreadable, *read["failures"]]}
        taken = await take(
            toolbox, settings, EXAMINE_PICTURE,
            ExaminePictureInputs(
                instruction=state["instruction"], question=state["image_question"], candidate=seen
            ),
            node="examine_picture", step=number_of(state["node"]["id"]), spent=state["spent"], pictures=pictures,
        )  # fmt: skip
        found: dict[str, Finding] = {}
        if taken.output:
            found[seen.id] = finding_of(
                state["candidate"], related=taken.output.related, says=_description(taken.output), pixels=bool(pictures)
            )
        return _writes(state, taken, found)

    return look_at_picture


def _description(examined: PictureExamination) -> str:
    """Join description and answer, each as a sentence."""
    parts = [part.strip() for part in (examined.description, examined.answer) if part.strip()]
    return " ".join(part if part[-1] in ".!?。！？" else f"{part}." for part in parts)


async def _read(toolbox: Toolbox, settings: Settings, state: ExaminationInput, seen: Examined) -> ExamineWrites:
    taken = await take(
        toolbox, settings, EXAMINE_TEXT, ExamineTextInputs(instruction=state["instruction"], candidate=seen),
        node="examine_text", step=number_of(state["node"]["id"]), spent=state["spent"],
    )  # fmt: skip
    found: dict[str, Finding] = {}
    if read := taken.output:
        found[seen.id] = finding_of(state["candidate"], related=read.related, says=read.says, pixels=False)
    return _writes(state, taken, found)


def _writes(state: ExaminationInput, taken: Taken[Any], found: dict[str, Finding]) -> ExamineWrites:
    """Return the writes with the candidate in the ids of charges and failures: many share one step."""
    place = f".{state['index']}"
    return {
        "findings": found,
        "usage": {key + place: spent for key, spent in taken.usage.items()},
        "failures": [{**failure, "id": failure["id"] + place} for failure in taken.failures],
    }


def finding_of(candidate: Candidate, *, related: bool, says: str, pixels: bool) -> Finding:
    """Build the finding of an examination, with the candidate's measured fit."""
    words = "words" if candidate["pictured"] else "text"
    covered, table = max(candidate["coverage"], candidate["path_coverage"]), candidate["modality"] == "table"
    return {
        "component": candidate["component"],
        "related": related,
        "says": says,
        "seen": "pixels" if pixels else words,
        "fit": round(alone(covered, candidate["similarity"], candidate.get("context"), table=table), 4),
    }


async def _picture(
    corpus: CorpusReader, state: ExaminationInput, settings: Settings
) -> tuple[list[PictureAttachment], Failure | None]:
    """Return the candidate's picture for a vision model, or a failure if the file cannot be opened."""
    components = await asyncio.to_thread(corpus.components, [state["candidate"]["component"]])
    pictures, left_out = await openable_pictures(corpus, components.values(), settings, "vlm")
    for key, why in left_out.items():
        return pictures, picture_unreadable(state["node"], str(state["index"]), key, why)
    return pictures, None


def picture_unreadable(node: PlanningNode, place: str, key: str, why: str) -> Failure:
    """Record a picture that cannot be opened."""
    number = number_of(node["id"])
    return {
        "id": f"picture@{number}.{place}",
        "node": "examine_picture",
        "step": number,
        "error": "PictureUnreadable",
        "message": f"The picture {key!r} was judged by its words: {why}."[:500],
    }


def _gone(state: ExaminationInput) -> Failure:
    return missing_component(state["node"], str(state["index"]), state["candidate"]["component"])


def missing_component(node: PlanningNode, place: str, key: str) -> Failure:
    """Record a candidate that an ingest removed during the run."""
    number = number_of(node["id"])
    return {
        "id": f"gone@{number}.{place}",
        "node": "examine_text",
        "step": number,
        "error": "ComponentGone",
        "message": f"The corpus no longer contains {key!r}: it was changed during the run.",
    }


def examined(corpus: CorpusReader, candidate: Candidate, instruction: str) -> Examined | None:
    """Return the examiner's view of a candidate, None if it is gone. Reads the corpus (blocking)."""
    wanted = [candidate["component"], *([candidate["parent"]] if candidate["parent"] else [])]
    components = corpus.components(wanted)
    component = components.get(candidate["component"])
    if component is None:
        return None
    documents = corpus.documents([component.document])
    title = documents[component.document].title if component.document in documents else component.document
    return Examined(
        id=component.id,
        modality=component.modality,
        title=title,
        section=component.section,
        entries=_distinct_entries(candidate["entries"], title),
        text=truncate_component(Covering(corpus, instruction), component, READ_CHARACTERS, _named_cells),
        linking_piece=_linking_piece(components, candidate),
        similarity=candidate["similarity"],
        coverage=candidate["coverage"],
        path_coverage=candidate["path_coverage"],
        context=candidate.get("context"),
    )


def _distinct_entries(entries: list[str], title: str) -> list[str]:
    """Drop entries that only repeat the title or another entry."""
    first: dict[frozenset[str], str] = {content_terms(title): title}
    for entry in entries:
        first.setdefault(content_terms(entry), entry)
    return list(first.values())[1:]


def _linking_piece(components: dict[str, Component], candidate: Candidate) -> str:
    parent = components.get(candidate["parent"] or "")
    if parent is None:
        return ""
    return piece_text(parent, {"parent": parent.id, "row": candidate["row"], "anchor": candidate["anchor"]})[:600]


def _named_cells(table: Table, row: int) -> str:
    """Return a row as its cells, each with the name of its column."""
    cells = zip(table.header, table.rows[row], strict=False)
    return "; ".join(f"{head} is {cell}" if head else cell for head, cell in cells if cell)
