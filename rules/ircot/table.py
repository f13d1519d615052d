"""Table of the rules for IRCoT's decisions."""

from __future__ import annotations

from backtrail.rules.ircot.think import think
from backtrail.rules.rule import Rules

RULES: Rules = {
    "ircot_think": think,
}
