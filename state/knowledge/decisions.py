"""Decisions that build a corpus's knowledge graph: extract from chunks, summarise descriptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part
from backtrail.state.knowledge.chunks import ExtractedKnowledge, KnowledgeChunk
from backtrail.state.knowledge.replies import ChunkReply, KnowledgeReply


class ExtractKnowledgeInputs(Part):
    """Chunks of one document (``title``) in one request, numbered from 1."""

    title: str
    chunks: list[KnowledgeChunk]


def reading_of(chunks: Sequence[KnowledgeChunk]) -> ExtractKnowledgeInputs:
    """Build the request for chunks, at least one, of the same document."""
    return ExtractKnowledgeInputs(title=chunks[0].title, chunks=list(chunks))


def sound_replies(inputs: ExtractKnowledgeInputs, output: KnowledgeReply) -> dict[int, ChunkReply]:
    """Return the valid replies by number of the chunk, in the order they were written."""
    return {one.chunk: one for one in output.chunks if not _problems(inputs, output, one)}


def _check_extraction(inputs: ExtractKnowledgeInputs, output: KnowledgeReply) -> list[str]:
    """Accept a reply that is valid for at least one chunk: the others are requested again alone."""
    if not inputs.chunks or sound_replies(inputs, output):
        return []
    problems = [problem for one in output.chunks for problem in _problems(inputs, output, one)]
    return problems[:10] or [f"Reply with one entry of 'chunks' for each of the {len(inputs.chunks)} chunks."]


def _problems(inputs: ExtractKnowledgeInputs, output: KnowledgeReply, one: ChunkReply) -> list[str]:
    if not 1 <= one.chunk <= len(inputs.chunks):
        return [f"There is no chunk {one.chunk}; they are numbered from 1 to {len(inputs.chunks)}."]
    if Counter(reply.chunk for reply in output.chunks)[one.chunk] > 1:
        return [f"Chunk {one.chunk} has several entries; give all that it says in one."]
    problems = said_problems(inputs.chunks[one.chunk - 1], one.read())
    return [f"Chunk {one.chunk}: {problem}" for problem in problems]


def said_problems(chunk: KnowledgeChunk, said: ExtractedKnowledge) -> list[str]:
    """Check that names share a word with the chunk and that rows are shown in it.

    A name without one comes from the prompt's examples or from another chunk.
    """
    shown = " ".join(" ".join(chunk.texts()).casefold().split())
    places = {t.tail: f"The tail of triplet {n}" for n, t in enumerate(said.triplets, start=1)}
    places |= {t.head: f"The head of triplet {n}" for n, t in enumerate(said.triplets, start=1)}
    places |= {entity.name: f"The name of entity {n}" for n, entity in enumerate(said.entities, start=1)}
    problems = [
        f"{place} does not occur in the chunk; name things as it names them."
        for name, place in places.items()
        if not any(word in shown for word in _words(name))
    ]
    rows = {row.number for row in chunk.rows}
    wrong = sorted({t.row for t in said.triplets if t.row is not None and t.row not in rows})
    if wrong:
        problems.append(f"Rows {wrong} are not in the chunk; it shows {sorted(rows) or 'none'}.")
    return problems[:10]


def _words(name: str) -> list[str]:
    folded = name.casefold()
    return "".join(c if c.isalnum() else " " for c in folded).split() or [" ".join(folded.split())]


def _offered_chunks(inputs: ExtractKnowledgeInputs) -> Offers:
    return {"chunks.chunk": range(1, len(inputs.chunks) + 1)}


EXTRACT_KNOWLEDGE = Decision(
    "extract_knowledge", ExtractKnowledgeInputs, KnowledgeReply, "reader", _check_extraction,
    offers=_offered_chunks, reasoned=False,
)  # fmt: skip


class SummarizeDescriptionsInputs(Part):
    """Descriptions of one entity (``name``) or of one relation ("head, relation, tail").

    ``left_out`` counts descriptions beyond the limit.
    """

    name: str
    descriptions: list[str]
    left_out: int = 0


class DescriptionsSummary(Part):
    """All of it in a few sentences; contradictions are named."""

    summary: str = Field(min_length=1, max_length=1200)


SUMMARIZE_DESCRIPTIONS = Decision(
    "summarize_descriptions", SummarizeDescriptionsInputs, DescriptionsSummary, "reader", reasoned=False
)
