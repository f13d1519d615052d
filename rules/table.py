"""Which rule takes which decision: those that several methods have, and the tables of all folders beside this file."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil

from backtrail import rules
from backtrail.rules.contextualize import contextualize
from backtrail.rules.judge import check_claims, classify_error, extract_claims, judge_answer, shorten_answer
from backtrail.rules.rule import Rule, Rules

SHARED: Rules = {
    "judge_answer": judge_answer,
    "extract_claims": extract_claims,
    "check_claims": check_claims,
    "classify_error": classify_error,
    "shorten_answer": shorten_answer,
    "contextualize": contextualize,
}


def _gathered() -> Rules:
    """Every rule. A decision is taken by one: a name that stands in two tables is a fault."""
    found: dict[str, Rule] = dict(SHARED)
    for folder in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.table"):
            table: Rules = importlib.import_module(f"{folder.name}.table").RULES
            if twice := found.keys() & table.keys():
                raise ValueError(f"{folder.name} names the rule of {sorted(twice)} once more.")
            found.update(table)
    return found


RULES = _gathered()
