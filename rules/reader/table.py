"""Table of the rules for the reader's decisions."""

from __future__ import annotations

from backtrail.rules.reader.answer_alone import answer_alone
from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.rule import Rules

RULES: Rules = {
    "answer": extract_answer,
    "answer_alone": answer_alone,
}
