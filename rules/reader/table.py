"""Which rule takes which decision of reading."""

from __future__ import annotations

from backtrail.rules.reader.answer_alone import answer_alone
from backtrail.rules.reader.multiple_choice import answer_or_option
from backtrail.rules.rule import Rules

RULES: Rules = {
    "answer": answer_or_option,
    "answer_alone": answer_alone,
}
