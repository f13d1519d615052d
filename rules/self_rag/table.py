"""Table of the rules for Self-RAG's decisions."""

from __future__ import annotations

from backtrail.rules.rule import Rules
from backtrail.rules.self_rag.check import check, resolves, supported
from backtrail.rules.self_rag.grade import grade
from backtrail.rules.self_rag.rewrite import rewrite

RULES: Rules = {
    "self_rag_grade": grade,
    "self_rag_check": check,
    "self_rag_support": supported,
    "self_rag_use": resolves,
    "self_rag_rewrite": rewrite,
}
