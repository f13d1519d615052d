"""Case: one question as rules read it, and whether what they read was right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorers.wordings import is_right
from backtrail.rules.reader.doubts import says_enough


@dataclass(frozen=True)
class Case:
    """``signals`` are empty where nothing was read; such a case counts in the coverage alone.

    ``made``: the question was made from the corpus itself, and is easier than people's.
    """

    corpus: str
    question: str
    signals: dict[str, float]
    right: bool
    made: bool = False

    @property
    def read(self) -> bool:
        """Whether anything was read."""
        return bool(self.signals)

    @property
    def says_enough(self) -> bool:
        """Whether what was read may be said with high confidence."""
        return says_enough(self.signals)


def cases_of(corpus: str, pairs: Iterable[tuple[Question, Outcome]], *, made: bool = False) -> list[Case]:
    """Cases of a finished evaluation. A question without an answer that was read all the same was read wrongly."""
    return [
        Case(corpus, question.id, outcome.signals, bool(outcome.signals) and is_right(question, said(outcome)), made)
        for question, outcome in pairs
        if outcome.error is None
    ]


def said(outcome: Outcome) -> Outcome:
    """The outcome as if what was read had been said."""
    return outcome.model_copy(update={"abstained": not outcome.read, "answer": outcome.read, "short": outcome.read})
