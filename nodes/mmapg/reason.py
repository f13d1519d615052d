"""reason: answer from the contents of the parents and their sources (MMAPG section 3.3)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.shorten import shortened
from backtrail.nodes.end_turn import without_answer
from backtrail.nodes.graph_traversal.deduplicate import deduplicate_by_id
from backtrail.nodes.graph_traversal.source_scores import source_scores
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.answer_grounds import in_quotes, knowledge_with_evidence, quoted, with_grounds
from backtrail.nodes.reading.answer_structure import Numbering
from backtrail.nodes.reading.build_answer import numbered_answer
from backtrail.nodes.reading.offline_answer import with_offline_answer
from backtrail.nodes.reading.openable_pictures import openable_pictures
from backtrail.nodes.reading.pictures import attach_question_picture
from backtrail.nodes.reading.piece_similarity import with_piece_similarity
from backtrail.nodes.reading.reader_sources import Readable, readable_sources
from backtrail.nodes.take_decision import Taken, settings_of, take
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, Reading, StructuredReading
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import ExecutorInput
from backtrail.state.mmapg.planning_graph import CONTENT_CHARACTERS, PlanningNode, is_dead, node_id, number_of
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

NOTHING_TO_READ = "Nothing was found that could be read for this."
NO_VALID_READING = "Sources were found, but no valid answer could be read from them; see the recorded failures."
DISPUTED = 0.5
"""Factor of the confidence in an answer whose sources contradict each other (ours)."""


class ReasonWrites(TypedDict, total=False):
    """The answer in the graph."""

    planning_graph: list[PlanningNode]
    usage: dict[str, Charge]
    failures: list[Failure]


class GraphSlice(TypedDict):
    """The whole graph."""

    question: str
    image: str | None
    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


def reason(toolbox: Toolbox) -> AsyncNode[ExecutorInput, ReasonWrites]:
    """Node: answer an instruction from its parents."""

    async def answer_instruction(state: ExecutorInput, runtime: Runtime[Settings]) -> ReasonWrites:
        return await _reason(toolbox, settings_of(runtime), state)

    return answer_instruction


def reason_over_graph(toolbox: Toolbox) -> AsyncNode[GraphSlice, ReasonWrites]:
    """Node: generate an answer from the whole graph, since the run ended without one."""

    async def answer_from_graph(state: GraphSlice, runtime: Runtime[Settings]) -> ReasonWrites:
        nodes = state["planning_graph"]
        read = [node for node in nodes if node["status"] in ("found", "answered")]
        node: PlanningNode = {
            "id": node_id(len(nodes)),
            "kind": "answer",
            "step": max(node["step"] for node in nodes) + 1,
            "parents": [node["id"] for node in read] or [nodes[0]["id"]],
            "instruction": state["question"],
            "within": "corpus",
            "content": NOTHING_TO_READ,
            "sources": [],
            "status": "unanswered",
            "why": "The run ended without an answer: generated from the whole graph.",
        }
        growing: ExecutorInput = {
            "node": node, "parents": read, "evidence": state["evidence"], "question": state["question"],
            "image": state.get("image"), "spent": state["usage"],
        }  # fmt: skip
        return await _reason(toolbox, settings_of(runtime), growing)

    return answer_from_graph


async def _reason(toolbox: Toolbox, settings: Settings, growing: ExecutorInput) -> ReasonWrites:
    node = growing["node"]
    corpus = await asyncio.to_thread(toolbox.corpus, settings)
    sources = await asyncio.to_thread(_sources, corpus, growing, settings)
    known = [f"{parent['instruction']}: {parent['content']}" for parent in growing["parents"] if _tells(parent)]
    if not sources and not known:
        return {"planning_graph": [{**node, "content": NOTHING_TO_READ, "answer": _abstention(NOTHING_TO_READ)}]}
    components = [source.component for source in sources.values()]
    texts = await asyncio.to_thread(
        with_piece_similarity, toolbox, settings, "reader", node["instruction"],
        [source.text for source in sources.values()],
        {key: source.rows for key, source in sources.items()},
    )  # fmt: skip
    pictures, left_out = await openable_pictures(corpus, components, settings, "reader")
    inputs = AnswerInputs(
        question=node["instruction"], knowledge=knowledge_with_evidence(settings, "evidence"), known=known,
        evidence=texts,
    )  # fmt: skip
    taken = await take(
        toolbox, settings, ANSWER, inputs,
        node="reason", step=number_of(node["id"]), spent=growing["spent"],
        pictures=[
            *await attach_question_picture(toolbox, growing["image"], settings, "reader"),
            *pictures,
        ],
    )  # fmt: skip
    by_rules = await quoted(toolbox, inputs) if taken.output is None else None
    writes = _writes(node, taken, sources, growing["parents"], by_rules)
    return {**writes, "failures": [*taken.failures, *_unreadable(node, left_out)]}


def _writes(
    node: PlanningNode,
    taken: Taken[StructuredReading],
    sources: dict[str, Readable],
    parents: list[PlanningNode],
    by_rules: Reading | None,
) -> ReasonWrites:
    """Return the answered node. An answer by rules, after the reader failed, is kept but settles nothing."""
    conflicts = [conflict for parent in parents for conflict in parent.get("conflicts", [])]
    answer = _answer(taken.output, sources, disputed=bool(conflicts)) if taken.output else _abstention(NO_VALID_READING)
    answered: PlanningNode = {
        **node,
        "content": shortened(answer["text"], node["instruction"], CONTENT_CHARACTERS) or NOTHING_TO_READ,
        "sources": list(dict.fromkeys(citation["component"] for citation in answer["citations"])),
        "status": "unanswered" if answer["abstained"] else "answered",
        "answer": answer,
    }
    if by_rules is not None:
        failed, _ = without_answer(NO_VALID_READING, taken.failures)
        answered["answer"] = in_quotes(_answer(by_rules, sources, disputed=bool(conflicts)), failed["text"])
    if conflicts:
        answered["conflicts"] = conflicts
    return {"planning_graph": [answered], "usage": taken.usage}


def _unreadable(node: PlanningNode, left_out: dict[str, str]) -> list[Failure]:
    number = number_of(node["id"])
    return [
        {
            "id": f"picture@{number}:{component}",
            "node": "reason",
            "step": number,
            "error": "PictureUnreadable",
            "message": f"The picture {component!r} was read by its words: {why}."[:500],
        }
        for component, why in left_out.items()
    ]


def _tells(parent: PlanningNode) -> bool:
    return parent["kind"] != "question" and not is_dead(parent)


def _sources(corpus: CorpusReader, growing: ExecutorInput, settings: Settings) -> dict[str, Readable]:
    """Return the parents' sources, best first. Reads the corpus (blocking)."""
    named = list(dict.fromkeys(source for parent in growing["parents"] for source in parent["sources"]))
    evidence = growing["evidence"]
    instruction = growing["node"]["instruction"]
    variant = MMAPG.of(settings.variant)
    scored = source_scores(corpus, instruction, named, evidence, words=variant.search_words)
    best = deduplicate_by_id(corpus, scored, settings.k) if variant.deduplicate_components else scored[: settings.k]
    return readable_sources(
        corpus, instruction, [(one["id"], one["score"]) for one in best], evidence, links=variant.links
    )


def _answer(reading: Reading, sources: dict[str, Readable], *, disputed: bool) -> Answer:
    confidence = reading.confidence * (DISPUTED if disputed else 1.0)
    reply = numbered_answer(reading, Numbering(lambda piece: [sources[piece.component].citation(piece)]))
    if reading.supported:
        reply["confidence"] = round(confidence, 4)
    read = with_offline_answer(
        with_grounds(reply, reading.grounds), reading, lambda piece: sources[piece.component].citation(piece)
    )
    if disputed and "calibrated" in read:  # a disputed answer never has high confidence
        read["calibrated"] = {**read["calibrated"], "level": "low", "probability": round(confidence, 4)}
    return read


def _abstention(text: str) -> Answer:
    return {"short": "", "text": text, "citations": [], "confidence": 0.0, "abstained": True}
