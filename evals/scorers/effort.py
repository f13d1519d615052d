"""Effort: how much was spent for how much accuracy, and whether effort and success have anything to do with each other.

Source: MADQA (Borchmann et al., 2026, "Strategic Navigation or Stochastic Search?", section 3 and its evaluation code):
the share answered with the first search, accuracy against effort, the Kuiper statistic, the ratio of wasted effort.
An answer is right as ``wordings.is_right`` has it. Effort is the number of model calls; of runs without any, the number
of searches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer, Scorer
from backtrail.evals.scorers.correctness import is_right

CALLS = (1, 2, 4, 8, 16)
TABLE = "Effort"
Told = tuple[int, bool]
"""Effort, and whether the answer was right."""


def searches_of(outcome: Outcome) -> int:
    """Searches that a run made: its traversals, its searches of the web, the turns of its graph; else one."""
    if outcome.hops is not None:
        return outcome.hops
    if outcome.planned.searches is not None:
        return sum(made.searches for made in outcome.planned.searches.values())
    return outcome.grown.turns if outcome.grown is not None else int(bool(outcome.ranking))


def effort_of(outcome: Outcome) -> int:
    """Model calls, or searches where no model was called."""
    return outcome.calls or searches_of(outcome)


def right_after_one_search() -> Scorer:
    """1 when the answer is right and no second search was made."""

    def at_once(question: Question, outcome: Outcome) -> float | None:
        return float(is_right(question, outcome) and searches_of(outcome) <= 1) if question.answers else None

    return Scorer("Right after 1 search", at_once, table=TABLE)


def right_within(calls: int) -> Scorer:
    """1 when the answer is right and took no more model calls than these; left out where no model was called."""

    def soon(question: Question, outcome: Outcome) -> float | None:
        asked = outcome.calls > 0 and bool(question.answers)
        return float(is_right(question, outcome) and outcome.calls <= calls) if asked else None

    return Scorer(f"Right within {calls} call{'s' if calls > 1 else ''}", soon, table=TABLE)


def kuiper() -> PooledScorer:
    """Questions in the order of effort, y = 1 where right: the range over k of D_k = sum of (y_i - mean y) for i <= k.

    Near 0 where effort tells nothing of success; large where a method succeeds at once or grinds in vain. It grows
    with the number of questions: compare it over the same ones. Ours: D is read where effort changes, so that
    questions of one effort have no order, and it is 0 where all are right or none.
    """
    return PooledScorer("Kuiper", _applies, "amount", table=TABLE, pool=_pool(kuiper_statistic))


def wasted_effort() -> PooledScorer:
    """Mean effort of the questions that were not answered rightly over that of those that were; 0 without either."""
    return PooledScorer("Wasted effort", _applies, "amount", table=TABLE, pool=_pool(wasted_effort_ratio))


def kuiper_statistic(told: Sequence[Told]) -> float:
    """The range of the cumulative differences, as ``kuiper`` defines it; 0 without any question."""
    mean = sum(right for _, right in told) / max(1, len(told))
    differences, reached = [0.0], 0.0
    for _, same in groupby(sorted(told), key=lambda one: one[0]):
        reached += sum(right - mean for _, right in same)
        differences.append(reached)
    return max(differences) - min(differences)


def wasted_effort_ratio(told: Sequence[Told]) -> float:
    """As ``wasted_effort`` defines it."""
    spent = [effort for effort, right in told if right]
    wasted = [effort for effort, right in told if not right]
    if not spent or not wasted:
        return 0.0
    return (sum(wasted) / len(wasted)) / (sum(spent) / len(spent))


def effort_scorers() -> tuple[Scorer, ...]:
    """All of them; of every evaluation."""
    return (right_after_one_search(), *(right_within(calls) for calls in CALLS), kuiper(), wasted_effort())


def _pool(measure: Callable[[Sequence[Told]], float]) -> Callable[[Sequence[Pair]], float]:
    """The measure of pairs. Whether an answer is right is looked at once: a bootstrap draws each pair often."""
    known: dict[tuple[int, int], tuple[Told, Pair]] = {}

    def told(pair: Pair) -> Told:
        key = (id(pair[0]), id(pair[1]))
        if key not in known:  # the pair is held, so that no other can get its place
            known[key] = ((effort_of(pair[1]), is_right(*pair)), pair)
        return known[key][0]

    return lambda pairs: measure([told(pair) for pair in pairs])


def _applies(question: Question, outcome: Outcome) -> float | None:
    return float(effort_of(outcome)) if question.answers and effort_of(outcome) else None
