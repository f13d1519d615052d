"""Scorers of abstention: its share, and whether unanswerable questions are declined."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer


def abstained() -> Scorer:
    """Share of all questions that were not answered. Neither good nor bad alone."""
    return Scorer("Abstained", lambda question, outcome: float(outcome.abstained))


def correct_abstention() -> Scorer:
    """1 when an unanswerable question was not answered, else 0; answerable ones are skipped."""

    def declined(question: Question, outcome: Outcome) -> float | None:
        return None if question.answerable else float(outcome.abstained)

    return Scorer("Correct abstention", declined)
