"""Table of the rules for HM-RAG's decisions."""

from __future__ import annotations

from backtrail.rules.hm_rag.decide import merge, refine, summarise
from backtrail.rules.hm_rag.decompose import complete, judge, plan, split
from backtrail.rules.hm_rag.keywords import keywords
from backtrail.rules.reader.extract import extract_choice
from backtrail.rules.rule import Rules

RULES: Rules = {
    "hm_rag_plan": plan,
    "hm_rag_judge": judge,
    "hm_rag_complete": complete,
    "hm_rag_split": split,
    "hm_rag_keywords": keywords,
    "hm_rag_read": extract_choice,
    "hm_rag_summarise": summarise,
    "hm_rag_merge": merge,
    "hm_rag_refine": refine,
}
