"""Table of all rules: those shared by several methods, and the tables of all folders beside this file."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil

from backtrail import rules
from backtrail.rules.compute import plan_no_computation
from backtrail.rules.contextualize import contextualize
from backtrail.rules.judge import check_claims, classify_error, extract_claims, judge_answer, shorten_answer
from backtrail.rules.rule import Rule, Rules
from backtrail.rules.summarise import no_points, points_as_list

SHARED: Rules = {
    "judge_answer": judge_answer,
    "extract_claims": extract_claims,
    "check_claims": check_claims,
    "classify_error": classify_error,
    "shorten_answer": shorten_answer,
    "compute": plan_no_computation,
    "contextualize": contextualize,
    "summarise_part": no_points,
    "merge_points": points_as_list,
}


RULES: dict[str, Rule] = dict(SHARED)


def add_rules(where: str, table: Rules) -> None:
    """Add the rules of a folder or package.

    Raises:
        ValueError: a rule for one of the decisions exists already.
    """
    if twice := RULES.keys() & table.keys():
        raise ValueError(f"{where} has a second rule for {sorted(twice)}; each decision takes one rule.")
    RULES.update(table)


def _add_folders() -> None:
    for folder in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.table"):
            add_rules(folder.name, importlib.import_module(f"{folder.name}.table").RULES)


_add_folders()
