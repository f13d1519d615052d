"""Convert between the reading of a chunk and its short reply, without loss."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from backtrail.rules.knowledge.cell_statements import RowWording
from backtrail.state.knowledge.chunks import ExtractedEntity, ExtractedKnowledge, ExtractedTriplet, KnowledgeChunk
from backtrail.state.knowledge.replies import ChunkReply, Statement


def read_reply(chunk: KnowledgeChunk, reply: ChunkReply) -> ExtractedKnowledge:
    """Parse a reply about a chunk, and word statements of rows that have no words."""
    extracted = reply.read()
    bare = [not statement.text.strip() for statement in reply.statements for _ in statement.triplets]
    wording = RowWording(chunk)
    triplets = [wording.worded(one) if is_bare else one for one, is_bare in zip(extracted.triplets, bare, strict=True)]
    return extracted.model_copy(update={"triplets": triplets})


def as_reply(number: int, chunk: KnowledgeChunk, knowledge: ExtractedKnowledge) -> ChunkReply:
    """Build the shortest reply with the same content: consecutive triplets with equal words are grouped."""
    wording = RowWording(chunk)
    shortened = [(_sentence(wording, one), one) for one in knowledge.triplets]
    groups = groupby(shortened, key=lambda grouped: (grouped[0], grouped[1].row))
    return ChunkReply(
        chunk=number,
        entities=[_entity(entity) for entity in knowledge.entities],
        statements=[_statement(text, row, (one for _, one in grouped)) for (text, row), grouped in groups],
    )


def _sentence(wording: RowWording, triplet: ExtractedTriplet) -> str:
    """Return the triplet's sentence; empty if code would word it the same."""
    if triplet.row is None:
        return triplet.text
    made = wording.worded(triplet.model_copy(update={"keywords": []}))
    same = made.text == triplet.text and made.keywords == triplet.keywords
    return "" if same else triplet.text


def _statement(text: str, row: int | None, triplets: Iterable[ExtractedTriplet]) -> Statement:
    return Statement(text=text, row=row, triplets=[_triplet(one, with_keywords=bool(text)) for one in triplets])


def _triplet(one: ExtractedTriplet, *, with_keywords: bool) -> list[str | int | float]:
    weight = [] if one.weight == 1 else [int(one.weight) if one.weight.is_integer() else one.weight]
    return [one.head, one.relation, one.tail, *weight, *(one.keywords if with_keywords else ())]


def _entity(entity: ExtractedEntity) -> list[str]:
    parts = [entity.name, entity.kind, entity.description]
    while not parts[-1]:
        parts.pop()
    return parts
