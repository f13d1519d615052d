"""Table of the rules for the VQA planner's decisions."""

from __future__ import annotations

from backtrail.rules.rule import Rules
from backtrail.rules.vqa_planner.annotate_queries import annotate_gold_query, annotate_image_query
from backtrail.rules.vqa_planner.choose_path import choose_or_answer, choose_path
from backtrail.rules.vqa_planner.gold_query import write_gold_query

RULES: Rules = {
    "annotate_gold_query": annotate_gold_query,
    "annotate_image_query": annotate_image_query,
    "vqa_choose_path": choose_path,
    "vqa_choose_or_answer": choose_or_answer,
    "vqa_gold_query": write_gold_query,
}
