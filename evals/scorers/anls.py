"""ANLS: similarity of two answers by edit distance, 0 below one half.

``likeness`` is the normalised Levenshtein similarity of ANLS (Biten et al., 2019), ``anls_star`` the measure of
MADQA's evaluation: ANLS* (Peer et al., 2024) of lists of texts, the best of several wordings, correct from 0.5 on.
"""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.list_answers import spans_of
from backtrail.tools.errors import DependencyMissing

HALF = 0.5


def anls() -> Scorer:
    """ANLS* in [0, 1] with the best of the gold wordings; an abstention scores 0."""
    return Scorer("ANLS*", _best)


def anls_accuracy() -> Scorer:
    """1 when ANLS* is at least 0.5."""

    def right(question: Question, outcome: Outcome) -> float | None:
        score = _best(question, outcome)
        return None if score is None else float(score >= HALF)

    return Scorer("Accuracy", right)


def anls_star(said: Sequence[str], gold: Sequence[str]) -> float:
    """ANLS* of two lists of texts: the best one-to-one assignment, over the length of the longer list."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        raise DependencyMissing("scipy", "evals") from None
    if not said or not gold:
        return float(not said and not gold)
    alike = [[_half(likeness(_light(one), _light(other))) for other in said] for one in gold]
    rows, columns = linear_sum_assignment(alike, maximize=True)
    return float(sum(alike[row][column] for row, column in zip(rows, columns, strict=True))) / max(len(said), len(gold))


def likeness(one: str, other: str) -> float:
    """1 − edit distance / length of the longer text; 1 for two empty ones."""
    longer = max(len(one), len(other))
    return 1 - _distance(one, other) / longer if longer else 1.0


def _distance(one: str, other: str) -> int:
    before = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        now = [row]
        for column, against in enumerate(other, start=1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != against)))
        before = now
    return before[-1]


def _half(score: float) -> float:
    return score if score >= HALF else 0.0


def _light(text: str) -> str:
    return " ".join(text.lower().split())


def _best(question: Question, outcome: Outcome) -> float | None:
    """Score with the best gold wording; where it is a list, the answer is split into its parts (ours)."""
    wordings: list[list[str]] = question.tags.get("wordings") or [[answer] for answer in question.answers]
    if not wordings:
        return None
    if outcome.abstained:
        return 0.0
    return max(anls_star(spans_of(outcome.said, gold), gold) for gold in wordings)
