"""Accuracy of open Visual7W: case-insensitive equality with the gold (official evaluation, top 1)."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer


def open_accuracy() -> Scorer:
    """1 when the answer is the gold one; the full stop at the end of all gold answers is optional (ours)."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        gold = question.tags.get("official")
        if not gold:
            return None
        return float(not outcome.abstained and _plain(outcome.said) == _plain(str(gold)))

    return Scorer("Accuracy", measure)


def _plain(text: str) -> str:
    return text.lower().strip().removesuffix(".")
