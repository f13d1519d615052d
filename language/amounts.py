"""Amounts: questions for a number or a sum of money that do not say "how much": "What did they pay for it?".

English only.
"""

from __future__ import annotations

import re

_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)"
# What something costs, and what somebody pays for it.
_MONEY = re.compile(
    rf"\bwhat\s+{_AUXILIARY}\s+(?:\S+\s+){{1,12}}?(?:cost|pay|paid|spend|spent|charge|charged|worth|come\s+to|came\s+to|amount\s+to|earn\s+(?:per|an?|each))\b"
    r"(?!\s+(?:attention|tribute|homage|respects?))"
    rf"|\bwhat['’]?s\s+(?:\S+\s+){{1,8}}?worth\b",
    re.IGNORECASE,
)
# "What's the most columns", "what is the least I pay": a number, whatever is counted.
_EXTREME = re.compile(
    r"\b(?:what['’]?s|what\s+(?:is|are|was|were))\s+the\s+(?:very\s+)?(?:most|least|fewest)\s+(?:that\s+)?"
    r"(?:(?:i|we|you|one|it|he|she|they|anyone|anybody)\b|(?!(?:\w+\s+){0,1}\w+ous\b)[a-z-]+s\b)",
    re.IGNORECASE,
)


def asks_money(question: str) -> bool:
    """Whether a question asks what something costs without "how much"."""
    return _MONEY.search(question) is not None


def asks_amount(question: str) -> bool:
    """Whether a question that asks "what" is answered by a number."""
    return asks_money(question) or _EXTREME.search(question) is not None
