"""A scorer: a name, and a function from a question and its outcome to a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question

Unit = Literal["share", "count", "amount", "usd", "seconds"]
"""A count is an amount of steps, small enough to be shown for each value of a tag beside the shares."""
Pair = tuple[Question, Outcome]


@dataclass(frozen=True)
class Scorer:
    """``measure`` returns None where it does not apply; such questions are left out of its mean.

    A share is in [0, 1] and a question that failed scores 0 in it. Of a failed question nobody knows
    what it would have spent, so amounts leave it out: counting 0 would make failing look cheap.
    """

    name: str
    measure: Callable[[Question, Outcome], float | None]
    unit: Unit = "share"
    of_ranking: bool = False
    """Whether it reads the ranking and the gold alone: of such scores an oracle can be told."""
    table: str = ""
    """The table of the report that shows it; "" is the main one."""

    def __call__(self, question: Question, outcome: Outcome) -> float | None:
        """The score of one question."""
        if outcome.error is not None and self.unit != "share":
            return None
        score = self.measure(question, outcome)
        return 0.0 if outcome.error is not None and score is not None else score


@dataclass(frozen=True)
class PooledScorer(Scorer):
    """A measure of all questions together that is no mean over them, such as macro-F1.

    ``measure`` says to which questions it applies (not None), and what a single one adds to the trace.
    """

    pool: Callable[[Sequence[Pair]], float] = lambda pairs: 0.0
    prepare: Callable[[Sequence[Pair]], Callable[[Sequence[Pair]], float]] | None = None
    """In place of ``pool``, where a score depends on all that are scored: the measure of any draw of them."""

    def over(self, pairs: Sequence[Pair]) -> Callable[[Sequence[Pair]], float]:
        """The measure of draws of these pairs."""
        return self.prepare(pairs) if self.prepare else self.pool
