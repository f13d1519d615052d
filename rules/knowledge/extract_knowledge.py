"""Extract knowledge from chunks offline: definitions, plain clauses, link texts, cells, captions."""

from __future__ import annotations

from backtrail.rules.knowledge.chunk_replies import as_reply
from backtrail.rules.knowledge.extract_picture import read_picture
from backtrail.rules.knowledge.extract_table import read_table
from backtrail.rules.knowledge.extract_text import read_text
from backtrail.state.knowledge.chunks import LONGEST_STATEMENT, ExtractedKnowledge, KnowledgeChunk
from backtrail.state.knowledge.decisions import ExtractKnowledgeInputs
from backtrail.state.knowledge.replies import KnowledgeReply

RULES_VERSION = 3
"""Raise it when the rules read the same chunk differently: graphs made by them are then rebuilt."""


def extract(inputs: ExtractKnowledgeInputs) -> KnowledgeReply:
    """Extract from each chunk separately: the rules ignore neighbours."""
    chunks = [_headed(chunk) for chunk in inputs.chunks]
    return KnowledgeReply(
        chunks=[as_reply(number, chunk, read_chunk(chunk)) for number, chunk in enumerate(chunks, start=1)]
    )


def _headed(chunk: KnowledgeChunk) -> KnowledgeChunk:
    """Cut title, section, caption and header to the length of a statement, which would be cut anyway."""
    over = {name: getattr(chunk, name)[:LONGEST_STATEMENT] for name in ("title", "section", "caption")}
    return chunk.model_copy(update={**over, "header": [name[:LONGEST_STATEMENT] for name in chunk.header]})


def read_chunk(chunk: KnowledgeChunk) -> ExtractedKnowledge:
    """Return entities and triplets in reading order, without repeated statements."""
    readers = {"text": read_text, "table": read_table, "image": read_picture}
    return readers[chunk.modality](chunk)
