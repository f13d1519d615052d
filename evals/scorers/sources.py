"""Retrieval F1 of WebQA: cited sources against gold ones (Chang et al., CVPR 2022)."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer


def source_f1() -> Scorer:
    """Harmonic mean of precision and recall of the cited components; skipped without gold.

    A gold group counts once, whichever of its components is cited. As in the official evaluation, the sources of a
    system are those that it names for its answer: its citations.
    """

    def measure(question: Question, outcome: Outcome) -> float | None:
        if not question.gold:
            return None
        gold = {component for group in question.gold for component in group}
        right = sum(component in gold for component in outcome.cited)
        found = sum(not set(group).isdisjoint(outcome.cited) for group in question.gold)
        if not right:
            return 0.0
        precision, recall = right / len(outcome.cited), found / len(question.gold)
        return 2 * precision * recall / (precision + recall)

    return Scorer("Retrieval F1", measure)
