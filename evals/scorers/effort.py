"""Scorers of effort: accuracy against spending, and the correlation of effort and success.

Source: MADQA (Borchmann et al., 2026, "Strategic Navigation or Stochastic Search?", section 3 and its evaluation code):
the share answered with the first search, accuracy against effort, the Kuiper statistic, the ratio of wasted effort.
An answer is right by ``correctness.is_right``. Effort is the number of model calls; without any, of searches.
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
EffortResult = tuple[int, bool]
"""Effort, and whether the answer was right."""


def searches_of(outcome: Outcome) -> int:
    """Return the number of searches: traversals, web searches, graph turns, or 1 for a ranking."""
    if outcome.hops is not None:
        return outcome.hops
    if outcome.planned.searches is not None:
        return sum(made.searches for made in outcome.planned.searches.values())
    return outcome.growth.turns if outcome.growth is not None else int(bool(outcome.ranking))


def effort_of(outcome: Outcome) -> int:
    """Return the number of model calls, or of searches where no model was called."""
    return outcome.calls or searches_of(outcome)


def right_after_one_search() -> Scorer:
    """1 when the answer is right without a second search."""

    def at_once(question: Question, outcome: Outcome) -> float | None:
        return float(is_right(question, outcome) and searches_of(outcome) <= 1) if question.answers else None

    return Scorer("Right after 1 search", at_once, table=TABLE)


def right_within(calls: int) -> Scorer:
    """1 when the answer is right within this many model calls; skipped where no model was called."""

    def soon(question: Question, outcome: Outcome) -> float | None:
        asked = outcome.calls > 0 and bool(question.answers)
        return float(is_right(question, outcome) and outcome.calls <= calls) if asked else None

    return Scorer(f"Right within {calls} call{'s' if calls > 1 else ''}", soon, table=TABLE)


def kuiper() -> PooledScorer:
    """Range over k of D_k = sum of (y_i - mean y) for i <= k, by ascending effort, y = 1 where right.

    Near 0 where effort does not predict success; large where easy questions succeed early and others use much effort
    in vain. It grows with the number of questions: compare it over the same ones. Ours: D is read where effort changes,
    so that questions of equal effort have no order; it is 0 where all or none are right.
    """
    return PooledScorer("Kuiper", _applies, "amount", table=TABLE, pool=_pool(kuiper_statistic))


def wasted_effort() -> PooledScorer:
    """Mean effort of questions not answered correctly over that of the others; 0 without either."""
    return PooledScorer("Wasted effort", _applies, "amount", table=TABLE, pool=_pool(wasted_effort_ratio))


def kuiper_statistic(results: Sequence[EffortResult]) -> float:
    """The statistic that ``kuiper`` defines; 0 without any question."""
    mean = sum(right for _, right in results) / max(1, len(results))
    differences, reached = [0.0], 0.0
    for _, same in groupby(sorted(results), key=lambda one: one[0]):
        reached += sum(right - mean for _, right in same)
        differences.append(reached)
    return max(differences) - min(differences)


def wasted_effort_ratio(results: Sequence[EffortResult]) -> float:
    """The ratio that ``wasted_effort`` defines."""
    spent = [effort for effort, right in results if right]
    wasted = [effort for effort, right in results if not right]
    if not spent or not wasted:
        return 0.0
    return (sum(wasted) / len(wasted)) / (sum(spent) / len(spent))


def effort_scorers() -> tuple[Scorer, ...]:
    """All of these scorers, part of every evaluation."""
    return (right_after_one_search(), *(right_within(calls) for calls in CALLS), kuiper(), wasted_effort())


def _pool(measure: Callable[[Sequence[EffortResult]], float]) -> Callable[[Sequence[Pair]], float]:
    """Return the measure of pairs. Correctness is cached, as a bootstrap draws each pair many times."""
    known: dict[tuple[int, int], tuple[EffortResult, Pair]] = {}

    def results(pair: Pair) -> EffortResult:
        key = (id(pair[0]), id(pair[1]))
        if key not in known:  # the pair is stored too, so that its ids cannot be reused
            known[key] = ((effort_of(pair[1]), is_right(*pair)), pair)
        return known[key][0]

    return lambda pairs: measure([results(pair) for pair in pairs])


def _applies(question: Question, outcome: Outcome) -> float | None:
    return float(effort_of(outcome)) if question.answers and effort_of(outcome) else None
