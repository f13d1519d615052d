"""Scorers of a judge's verdicts (``backtrail eval --judge``); outcomes without one are skipped."""

from __future__ import annotations

from typing import Any, get_args

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.citations import judged_citation_scorers
from backtrail.state.judge_decisions import ErrorClass

JUDGED_CLASSES: tuple[str, ...] = get_args(ErrorClass)


def judge_score() -> Scorer:
    """Grade from 1 to 5 scaled to [0, 1]: (score - 1) / 4 (ours; the paper only says "scaled")."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        score = _of(outcome, "grade").get("score")
        return None if score is None else (score - 1) / 4

    return Scorer("Judge", measure)


def claim_precision() -> Scorer:
    """Share of the answer's claims that the gold answer supports; 0 for an answer without claims."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        counts = _of(outcome, "claims")
        return None if "stated" not in counts else counts["right"] / counts["stated"] if counts["stated"] else 0.0

    return Scorer("Claim precision", measure)


def claim_recall() -> Scorer:
    """Share of the gold answer's claims that the answer supports; skipped where the gold answer has none."""
    return Scorer("Claim recall", lambda question, outcome: _share_found(outcome, "claims"))


def key_points() -> Scorer:
    """Share of the question's key points that the answer supports; 0 for an abstention."""
    return Scorer("Key points", lambda question, outcome: _share_found(outcome, "points"))


def _share_found(outcome: Outcome, judging: str) -> float | None:
    counts = _of(outcome, judging)
    return counts["found"] / counts["wanted"] if counts.get("wanted") else None


def error_class(kind: str) -> Scorer:
    """Share of this class among the answers that are not an exact match."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        found = _of(outcome, "errors").get("kind")
        return None if not found else float(found == kind)

    return Scorer(f"Error: {kind}", measure)


def judged_scorers() -> tuple[Scorer, ...]:
    """All of these scorers; each applies only where its judging was made."""
    return (
        judge_score(), claim_precision(), claim_recall(), key_points(), *(error_class(kind) for kind in JUDGED_CLASSES),
        *judged_citation_scorers(),
    )  # fmt: skip


def _of(outcome: Outcome, judging: str) -> dict[str, Any]:
    return outcome.judged.get(judging, {}) if outcome.error is None else {}
