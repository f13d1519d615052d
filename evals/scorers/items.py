"""Precision and recall of the items of a list, in any order (ours).

An item counts where it contains a wording as whole words, as in the scorer Right. Of an answer that is no list its
lines are the items, else what semicolons separate, else commas and "and"; a gold wording is never split.
"""

from __future__ import annotations

import re

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.correctness import contains_wording

_MARKER = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_SEPARATORS = (r"\n", r";", r"(?<!\d),|,(?!\d)|\band\b")


def item_precision() -> Scorer:
    """Share of the answer's items that are gold items."""
    return Scorer("Item precision", lambda question, outcome: _found(question, outcome)[0])


def item_recall() -> Scorer:
    """Share of the gold items that the answer names."""
    return Scorer("Item recall", lambda question, outcome: _found(question, outcome)[1])


def items_in(text: str, gold: tuple[tuple[str, ...], ...]) -> list[str]:
    """Return the items of an answer."""
    whole = "|".join(re.escape(one) for one in sorted((w for item in gold for w in item if w.strip()), key=len)[::-1])
    for separator in _SEPARATORS:
        # a separator inside a wording ("Trinidad and Tobago") separates nothing
        cuts = [m for m in re.finditer(rf"(?<!\w)(?:{whole})(?!\w)|({separator})", text, re.IGNORECASE) if m.group(1)]
        ends = [*(m.start() for m in cuts), len(text)]
        starts = [0, *(m.end() for m in cuts)]
        parts = [_MARKER.sub("", text[start:end]).strip() for start, end in zip(starts, ends, strict=True)]
        if len(items := [part for part in parts if re.search(r"\w", part)]) > 1:
            return items
    return [text] if text.strip() else []


def _found(question: Question, outcome: Outcome) -> tuple[float | None, float | None]:
    """Return precision and recall; None for questions without items."""
    if not question.items:
        return None, None
    said = [] if outcome.abstained else list(outcome.items) or items_in(outcome.said, question.items)
    named = [[any(contains_wording(one, wording) for wording in item) for item in question.items] for one in said]
    right = sum(map(any, named)) / len(said) if said else 0.0
    return right, sum(map(any, zip(*named, strict=True))) / len(question.items)
