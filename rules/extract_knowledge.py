"""What a chunk says, offline: definitions, plain clauses, link texts, table cells, captions."""

from __future__ import annotations

from backtrail.rules.extract_picture import read_picture
from backtrail.rules.extract_table import read_table
from backtrail.rules.extract_text import read_text
from backtrail.state.knowledge_decisions import ExtractedKnowledge, ExtractKnowledgeInputs

RULES_VERSION = 1
"""Raise it when the rules read the same chunk differently: every graph made by them is then made anew."""


def extract(inputs: ExtractKnowledgeInputs) -> ExtractedKnowledge:
    """Entities and triplets in reading order; statements that are repeated word for word come once."""
    readers = {"text": read_text, "table": read_table, "image": read_picture}
    return readers[inputs.modality](inputs)
