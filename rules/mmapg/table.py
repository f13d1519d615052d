"""Table of the rules for MMAPG's decisions."""

from __future__ import annotations

from backtrail.rules.mmapg.compile import compile_findings
from backtrail.rules.mmapg.examine import examine_picture, examine_pictures, examine_text, examine_texts
from backtrail.rules.mmapg.overall_plan import opening, overall_plan
from backtrail.rules.mmapg.plan import plan
from backtrail.rules.mmapg.queries import image_queries, prepare, text_queries
from backtrail.rules.mmapg.split import split
from backtrail.rules.rule import Rules

RULES: Rules = {
    "mmapg_overall_plan": overall_plan,
    "mmapg_open": opening,
    "mmapg_plan": plan,
    "mmapg_split": split,
    "mmapg_text_queries": text_queries,
    "mmapg_image_queries": image_queries,
    "mmapg_prepare": prepare,
    "mmapg_examine_text": examine_text,
    "mmapg_examine_picture": examine_picture,
    "mmapg_examine_texts": examine_texts,
    "mmapg_examine_pictures": examine_pictures,
    "mmapg_compile": compile_findings,
}
