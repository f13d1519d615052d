"""Scorers of computing over tables: whether a run computed, and whether right answers cite the right rows. Ours."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Measure, Scorer


def wrong_answer(right: Measure) -> Scorer:
    """1 when an answer was given that is not right."""

    def wrong(question: Question, outcome: Outcome) -> float | None:
        score = right(question, outcome)
        return None if score is None else float(not outcome.abstained and outcome.error is None and score < 1)

    return Scorer("Wrong", wrong)


def computed() -> Scorer:
    """Share of the questions for which a model was asked to compute over tables."""
    return Scorer("Computed", lambda _, outcome: float(outcome.calls_by_node.get("compute", 0) > 0))


def exact_sources(right: Measure) -> Scorer:
    """Share of the right answers that cite rows of the gold table, all of which exist, and no rows of another.

    Where the question has the tag ``source_rows``, groups of rows, one row of each group has to be cited. Answers that
    are not right are left out, and so are questions without a gold table.
    """

    def exact(question: Question, outcome: Outcome) -> float | None:
        size = question.tags.get("table_rows")
        if size is None or not question.gold or not right(question, outcome):
            return None
        rows = outcome.cited_rows.get(question.gold[0][0], ())
        cited = {row for first, last in rows for row in range(first, last + 1)}
        groups: list[list[int]] = question.tags.get("source_rows") or [sorted(cited)]
        alone = outcome.cited_rows.keys() == {question.gold[0][0]}
        return float(alone and max(cited) < size and all(cited & set(group) for group in groups))

    return Scorer("Exact sources", exact)
