"""Comparison of several methods on the questions of one task or of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.evals.breakdown import grouped
from backtrail.evals.oracle import oracle
from backtrail.evals.outcome import Outcome
from backtrail.evals.paired import Difference, differences
from backtrail.evals.questions import Question
from backtrail.evals.runner import Evaluation
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.stages import node_calls
from backtrail.evals.summary import Summary, summarise

Pairs = Sequence[tuple[Question, Outcome]]


@dataclass(frozen=True)
class Comparison:
    """Outcomes of methods. ``questions``: all selected ones, with gold; ``pairs``: finished by method."""

    scorers: Sequence[Scorer]
    questions: Sequence[Question]
    pairs: dict[str, Pairs]

    def summaries(self) -> list[Summary]:
        """Return the summary of each method, with the calls of each of its nodes."""
        return [summarise(method, [*self.scorers, *node_calls(pairs)], pairs) for method, pairs in self.pairs.items()]

    def oracle(self) -> Summary | None:
        """Return the scores of a perfect ranking; None where gold is not derived from evidence."""
        return oracle(self.scorers, self.questions)

    def by(self, tag: str) -> list[tuple[str, Summary]]:
        """Return a summary for each value of a tag, of each method and then of the oracle."""
        rows = [
            (value, summarise(method, self.scorers, group))
            for method, pairs in self.pairs.items()
            for value, group in grouped(pairs, tag, lambda pair: pair[0]).items()
        ]
        parts = grouped(self.questions, tag, lambda question: question)
        perfect = ((value, oracle(self.scorers, group)) for value, group in parts.items())
        return rows + [(value, summary) for value, summary in perfect if rows and summary is not None]

    def differences(self, against: str) -> dict[str, dict[str, Difference]]:
        """Return the paired differences of each other method from the named one, by scorer."""
        named = self.pairs[against]
        return {
            method: differences(self.scorers, pairs, named) for method, pairs in self.pairs.items() if method != against
        }


def comparison(scorers: Sequence[Scorer], evaluated: Sequence[Evaluation]) -> Comparison:
    """Join evaluations; the tasks of one method are counted as one."""
    questions: dict[tuple[str, str], Question] = {}
    pairs: dict[str, list[tuple[Question, Outcome]]] = {}
    for one in evaluated:
        pairs.setdefault(one.method, []).extend(one.pairs)
        for question in one.questions:
            key = (question.id, question.fingerprint)
            if key not in questions or not questions[key].gold:  # a method without a corpus does not know the gold
                questions[key] = question
    return Comparison(scorers, list(questions.values()), dict(pairs))
