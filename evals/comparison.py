"""A comparison: what several methods reached on the questions of one task, or of several told together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.evals.breakdown import grouped
from backtrail.evals.oracle import oracle
from backtrail.evals.outcome import Outcome
from backtrail.evals.paired import Difference, differences
from backtrail.evals.questions import Question
from backtrail.evals.runner import Evaluated
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.stages import node_calls
from backtrail.evals.summary import Summary, summarise

Pairs = Sequence[tuple[Question, Outcome]]


@dataclass(frozen=True)
class Comparison:
    """``questions`` are all that were chosen, with their gold; ``pairs`` by method those that it finished."""

    scorers: Sequence[Scorer]
    questions: Sequence[Question]
    pairs: dict[str, Pairs]

    def summaries(self) -> list[Summary]:
        """One for each method, with the calls of each of its nodes."""
        return [summarise(method, [*self.scorers, *node_calls(pairs)], pairs) for method, pairs in self.pairs.items()]

    def oracle(self) -> Summary | None:
        """What a perfect ranking would reach; None where gold is not found from evidence."""
        return oracle(self.scorers, self.questions)

    def by(self, tag: str) -> list[tuple[str, Summary]]:
        """For each method, and then the oracle, a summary for each value of a tag."""
        rows = [
            (value, summarise(method, self.scorers, group))
            for method, pairs in self.pairs.items()
            for value, group in grouped(pairs, tag, lambda pair: pair[0]).items()
        ]
        parts = grouped(self.questions, tag, lambda question: question)
        perfect = ((value, oracle(self.scorers, group)) for value, group in parts.items())
        return rows + [(value, summary) for value, summary in perfect if rows and summary is not None]

    def differences(self, against: str) -> dict[str, dict[str, Difference]]:
        """For each other method its paired differences from the one named, by scorer."""
        named = self.pairs[against]
        return {
            method: differences(self.scorers, pairs, named) for method, pairs in self.pairs.items() if method != against
        }


def comparison(scorers: Sequence[Scorer], evaluated: Sequence[Evaluated]) -> Comparison:
    """Bring together what was evaluated; the tasks of one method are counted as one."""
    questions: dict[tuple[str, str], Question] = {}
    pairs: dict[str, list[tuple[Question, Outcome]]] = {}
    for one in evaluated:
        pairs.setdefault(one.method, []).extend(one.pairs)
        for question in one.questions:
            key = (question.id, question.asked)
            if key not in questions or not questions[key].gold:  # a method without a corpus does not know the gold
                questions[key] = question
    return Comparison(scorers, list(questions.values()), dict(pairs))
