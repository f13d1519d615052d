"""Scores read from what a judge said of an outcome (``backtrail eval --judge``); left out where nobody judged."""

from __future__ import annotations

from typing import Any, get_args

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.citations import judged_citation_scorers
from backtrail.state.judge_decisions import ErrorClass

JUDGED_CLASSES: tuple[str, ...] = get_args(ErrorClass)


def judge_score() -> Scorer:
    """The grade from 1 to 5 on a scale from 0 to 1: (score - 1) / 4 (the paper only says "scaled"; ours)."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        score = _of(outcome, "grade").get("score")
        return None if score is None else (score - 1) / 4

    return Scorer("Judge", measure)


def claim_precision() -> Scorer:
    """Share of the answer's claims that the gold answer supports; an answer that claims nothing has none right."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        counts = _of(outcome, "claims")
        return None if "said" not in counts else counts["right"] / counts["said"] if counts["said"] else 0.0

    return Scorer("Claim precision", measure)


def claim_recall() -> Scorer:
    """Share of the gold answer's claims that the answer makes; left out where the gold answer claims nothing."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        counts = _of(outcome, "claims")
        return counts["found"] / counts["wanted"] if counts.get("wanted") else None

    return Scorer("Claim recall", measure)


def error_class(kind: str) -> Scorer:
    """Share of the answers that are not exactly right which have this class of error."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        found = _of(outcome, "errors").get("kind")
        return None if not found else float(found == kind)

    return Scorer(f"Error: {kind}", measure)


def judged_scorers() -> tuple[Scorer, ...]:
    """All of them; each applies only where its judging was made."""
    return (
        judge_score(), claim_precision(), claim_recall(), *(error_class(kind) for kind in JUDGED_CLASSES),
        *judged_citation_scorers(),
    )  # fmt: skip


def _of(outcome: Outcome, judging: str) -> dict[str, Any]:
    return outcome.judged.get(judging, {}) if outcome.error is None else {}
