"""Table of the rules for the knowledge graph's decisions."""

from __future__ import annotations

from backtrail.rules.knowledge.extract_knowledge import extract
from backtrail.rules.knowledge.summarize_descriptions import summarize
from backtrail.rules.rule import Rules

RULES: Rules = {
    "extract_knowledge": extract,
    "summarize_descriptions": summarize,
}
