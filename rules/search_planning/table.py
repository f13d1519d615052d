"""Table of the rules for decisions of search planning."""

from __future__ import annotations

from backtrail.rules.rule import Rules
from backtrail.rules.search_planning.plan import plan
from backtrail.rules.search_planning.reformulate import reformulate
from backtrail.rules.search_planning.route import route

RULES: Rules = {
    "cogplanner_plan": plan,
    "cogplanner_reformulate": reformulate,
    "cogplanner_route": route,
}
