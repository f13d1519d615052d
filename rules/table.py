"""Which rule takes which decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from backtrail.rules.contextualize import contextualize
from backtrail.rules.decompose import decompose
from backtrail.rules.fif.evaluate import evaluate
from backtrail.rules.fif.orchestrate import orchestrate
from backtrail.rules.fif.plan import plan
from backtrail.rules.fif.rerank import rerank
from backtrail.rules.fif.select import select
from backtrail.rules.hm_rag.decide import merge as hm_rag_merge
from backtrail.rules.hm_rag.decide import refine as hm_rag_refine
from backtrail.rules.hm_rag.decide import summarise as hm_rag_summarise
from backtrail.rules.hm_rag.decompose import judge as hm_rag_judge
from backtrail.rules.hm_rag.decompose import split as hm_rag_split
from backtrail.rules.hm_rag.keywords import keywords as hm_rag_keywords
from backtrail.rules.ircot.think import think
from backtrail.rules.judge import check_claims, classify_error, extract_claims, judge_answer, shorten_answer
from backtrail.rules.knowledge.extract_knowledge import extract
from backtrail.rules.knowledge.summarize_descriptions import summarize
from backtrail.rules.mmapg.compile import compile_findings
from backtrail.rules.mmapg.examine import examine_picture, examine_text
from backtrail.rules.mmapg.overall_plan import overall_plan
from backtrail.rules.mmapg.plan import plan as plan_nodes
from backtrail.rules.mmapg.queries import image_queries, text_queries
from backtrail.rules.mmapg.split import split
from backtrail.rules.omnisearch.think import think_search
from backtrail.rules.reader.answer_alone import answer_alone
from backtrail.rules.reader.multiple_choice import answer_or_option
from backtrail.rules.reader.read import read as hm_rag_read
from backtrail.rules.searching.reformulate import reformulate
from backtrail.rules.searching.route import route
from backtrail.rules.self_rag.check import check
from backtrail.rules.self_rag.grade import grade
from backtrail.rules.self_rag.rewrite import rewrite
from backtrail.rules.vqa_planner.annotate_queries import annotate_gold_query, annotate_image_query
from backtrail.rules.vqa_planner.choose_path import choose_path
from backtrail.rules.vqa_planner.gold_query import write_gold_query

RULES: Mapping[str, Callable[[Any], BaseModel]] = {
    "judge_answer": judge_answer,
    "extract_claims": extract_claims,
    "check_claims": check_claims,
    "classify_error": classify_error,
    "shorten_answer": shorten_answer,
    "contextualize": contextualize,
    "annotate_gold_query": annotate_gold_query,
    "annotate_image_query": annotate_image_query,
    "fif_decompose": decompose,
    "fif_orchestrate": orchestrate,
    "fif_plan": plan,
    "fif_select_documents": select,
    "fif_select_components": select,
    "fif_evaluate": evaluate,
    "fif_rerank": rerank,
    "answer": answer_or_option,
    "answer_alone": answer_alone,
    "cogplanner_reformulate": reformulate,
    "cogplanner_route": route,
    "vqa_choose_path": choose_path,
    "vqa_gold_query": write_gold_query,
    "omnisearch_think": think_search,
    "self_rag_grade": grade,
    "self_rag_check": check,
    "self_rag_rewrite": rewrite,
    "ircot_think": think,
    "extract_knowledge": extract,
    "summarize_descriptions": summarize,
    "mmapg_overall_plan": overall_plan,
    "mmapg_plan": plan_nodes,
    "mmapg_split": split,
    "mmapg_text_queries": text_queries,
    "mmapg_image_queries": image_queries,
    "mmapg_examine_text": examine_text,
    "mmapg_examine_picture": examine_picture,
    "mmapg_compile": compile_findings,
    "hm_rag_judge": hm_rag_judge,
    "hm_rag_split": hm_rag_split,
    "hm_rag_keywords": hm_rag_keywords,
    "hm_rag_read": hm_rag_read,
    "hm_rag_summarise": hm_rag_summarise,
    "hm_rag_merge": hm_rag_merge,
    "hm_rag_refine": hm_rag_refine,
}
