"""Scorers used only by the measurement: answers by confidence, evidence among quotes, failures."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.correctness import is_right
from backtrail.evals.scorers.quotes import shows


def answered_at(level: str) -> Scorer:
    """1 when an answer was given at this level of confidence; its mean is the coverage."""
    return Scorer(f"Answered at {level}", lambda question, outcome: float(_at(outcome, level)))


def right_at(level: str) -> Scorer:
    """1 when an answer at this level is right, 0 when it is wrong; its mean is the precision."""

    def correct(question: Question, outcome: Outcome) -> float | None:
        return float(is_right(question, outcome)) if _at(outcome, level) else None

    return Scorer(f"Right at {level}", correct)


def evidence_quoted() -> Scorer:
    """Share of the evidence that the quotes show; only questions with textual evidence."""

    def quoted(question: Question, outcome: Outcome) -> float | None:
        pieces = [piece for piece in question.evidence if piece.quote is not None]
        found = [any(shows(quote, piece) for quote in outcome.quotes) for piece in pieces]
        return sum(found) / len(found) if found else None

    return Scorer("Evidence quoted", quoted)


def evidence_ingested(question: Question) -> float | None:
    """Share of the evidence that is in a component, so that a perfect ranking would find it."""
    return sum(bool(group) for group in question.gold) / len(question.gold) if question.evidence else None


def model_asked() -> Scorer:
    """1 when a run called a model; the measurement runs without one, so it must stay 0."""
    return Scorer("Model asked", lambda question, outcome: float(outcome.calls > 0))


def failed() -> Scorer:
    """1 when the run raised."""
    return _Failed("Failed", lambda question, outcome: float(outcome.error is not None))


class _Failed(Scorer):
    """A share that is not set to 0 for a failed question."""

    def __call__(self, question: Question, outcome: Outcome) -> float | None:
        return self.measure(question, outcome)


def _at(outcome: Outcome, level: str) -> bool:
    return outcome.error is None and not outcome.abstained and outcome.level == level
