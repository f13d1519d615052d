"""Scorers of rankings against gold. Questions without gold are skipped.

Names differ between papers: R@k in FiF's tables is a hit ("at least one gold component in the top k").
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer


def hit_at(k: int) -> Scorer:
    """1 when any gold component is among the first k, else 0."""

    def hit(question: Question, outcome: Outcome) -> float | None:
        if not question.gold:
            return None
        return float(any(_found(group, outcome.ranking[:k]) for group in question.gold))

    return Scorer(f"Hit@{k}", hit, of_ranking=True)


def recall_at(k: int) -> Scorer:
    """Share of the gold groups with any component among the first k."""

    def recall(question: Question, outcome: Outcome) -> float | None:
        if not question.gold:
            return None
        return sum(_found(group, outcome.ranking[:k]) for group in question.gold) / len(question.gold)

    return Scorer(f"Recall@{k}", recall, of_ranking=True)


def mrr_at(k: int) -> Scorer:
    """1 / rank of the first gold component among the first k, else 0."""

    def reciprocal_rank(question: Question, outcome: Outcome) -> float | None:
        if not question.gold:
            return None
        gold = {component for group in question.gold for component in group}
        ranks = (rank for rank, component in enumerate(outcome.ranking[:k], start=1) if component in gold)
        first = next(ranks, None)
        return 1.0 / first if first else 0.0

    return Scorer(f"MRR@{k}", reciprocal_rank, of_ranking=True)


def ndcg_at(k: int) -> Scorer:
    """nDCG of the first k; a gold group has gain 1 at its first component."""

    def gain(question: Question, outcome: Outcome) -> float | None:
        if not question.gold:
            return None
        ranks = (_rank(group, outcome.ranking[:k]) for group in question.gold)
        found = sum(1 / math.log2(rank + 1) for rank in ranks if rank)
        return min(1.0, found / _most_gain(question.gold, k))

    return Scorer(f"nDCG@{k}", gain, of_ranking=True)


def _most_gain(gold: Sequence[Sequence[str]], k: int) -> float:
    """Return the gain of a perfect ranking, in which each empty group takes a rank.

    Exact where no component is in two groups, else greedy: the component of most groups first, of equals the first.
    """
    open_, gain = [dict.fromkeys(group) for group in gold], 0.0  # the order of sets would differ between processes
    for place in range(1, k + 1):
        added = Counter(component for group in open_ for component in group)
        best, number = added.most_common(1)[0] if added else ("", min(1, len(open_)))
        gain += number / math.log2(place + 1)
        open_ = [group for group in open_ if best not in group] if added else open_[1:]
    return gain


def ranking_scorers() -> tuple[Scorer, ...]:
    """All of these scorers in a separate table, part of every evaluation."""
    cuts = (1, 2, 5, 10)
    scorers = (*(hit_at(k) for k in cuts), *(recall_at(k) for k in cuts), mrr_at(10), ndcg_at(10))
    return tuple(replace(scorer, table="Ranking") for scorer in scorers)


def _rank(group: Sequence[str], top: Sequence[str]) -> int:
    """Return the rank of the first component of a group, from 1; 0 where there is none."""
    return next((rank for rank, component in enumerate(top, start=1) if component in group), 0)


def _found(group: Sequence[str], top: Sequence[str]) -> bool:
    return not set(group).isdisjoint(top)
