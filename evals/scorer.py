"""Scorer: a named function from a question and its outcome to a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question

Unit = Literal["share", "count", "amount", "usd", "seconds"]
"""A count is a small number of steps; breakdowns by tag show shares and counts only."""
Pair = tuple[Question, Outcome]
Measure = Callable[[Question, Outcome], float | None]
"""Score of an outcome; None where it does not apply."""


@dataclass(frozen=True)
class Scorer:
    """A named measure. ``measure`` returns None where it does not apply; its mean skips such questions.

    A share is in [0, 1], and a failed question scores 0 in it. Amounts skip failed questions: counting 0 would make
    failing look cheap.
    """

    name: str
    measure: Measure
    unit: Unit = "share"
    of_ranking: bool = False
    """Whether it reads only the ranking and the gold, so that the oracle has this score."""
    table: str = ""
    """Table of the report that shows it; "" is the main one."""

    def __call__(self, question: Question, outcome: Outcome) -> float | None:
        """Return the score of one question."""
        if outcome.error is not None and self.unit != "share":
            return None
        score = self.measure(question, outcome)
        return 0.0 if outcome.error is not None and score is not None else score


@dataclass(frozen=True)
class PooledScorer(Scorer):
    """A measure of all questions together that is not a mean, such as macro-F1.

    It applies to the questions for which ``measure`` is not None; that value is the question's score in the results.
    """

    pool: Callable[[Sequence[Pair]], float] = lambda pairs: 0.0
    prepare: Callable[[Sequence[Pair]], Callable[[Sequence[Pair]], float]] | None = None
    """Instead of ``pool``, where a score depends on the whole set: takes all pairs, returns the measure of draws."""

    def over(self, pairs: Sequence[Pair]) -> Callable[[Sequence[Pair]], float]:
        """Return the measure of draws of these pairs."""
        return self.prepare(pairs) if self.prepare else self.pool
