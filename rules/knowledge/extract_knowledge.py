"""What chunks say, offline: definitions, plain clauses, link texts, table cells, captions."""

from __future__ import annotations

from backtrail.rules.knowledge.chunk_replies import as_reply
from backtrail.rules.knowledge.extract_picture import read_picture
from backtrail.rules.knowledge.extract_table import read_table
from backtrail.rules.knowledge.extract_text import read_text
from backtrail.state.knowledge.chunks import LONGEST_STATEMENT, ExtractedKnowledge, KnowledgeChunk
from backtrail.state.knowledge.decisions import ExtractKnowledgeInputs
from backtrail.state.knowledge.replies import KnowledgeReply

RULES_VERSION = 3
"""Raise it when the rules read the same chunk differently: every graph made by them is then made anew."""


def extract(inputs: ExtractKnowledgeInputs) -> KnowledgeReply:
    """Each chunk by itself: the rules know of no neighbours."""
    chunks = [_headed(chunk) for chunk in inputs.chunks]
    return KnowledgeReply(
        chunks=[as_reply(number, chunk, read_chunk(chunk)) for number, chunk in enumerate(chunks, start=1)]
    )


def _headed(chunk: KnowledgeChunk) -> KnowledgeChunk:
    """The chunk with what stands over every row as long as a statement may be: the rest of it would be cut anyway."""
    over = {name: getattr(chunk, name)[:LONGEST_STATEMENT] for name in ("title", "section", "caption")}
    return chunk.model_copy(update={**over, "header": [name[:LONGEST_STATEMENT] for name in chunk.header]})


def read_chunk(chunk: KnowledgeChunk) -> ExtractedKnowledge:
    """Entities and triplets in reading order; statements that are repeated word for word come once."""
    readers = {"text": read_text, "table": read_table, "image": read_picture}
    return readers[chunk.modality](chunk)
