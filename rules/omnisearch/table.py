"""Table of the rules for OmniSearch's decisions."""

from __future__ import annotations

from backtrail.rules.omnisearch.think import think_search
from backtrail.rules.rule import Rules

RULES: Rules = {
    "omnisearch_think": think_search,
}
