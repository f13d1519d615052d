"""Retrieval and citation scores by page or document.

A ranking of components becomes one of their pages (documents), each at its first rank. Recall, hit, MRR and nDCG as in
the evaluations of ViDoSeek (Wang et al., 2025) and M3SciQA (Li et al., 2024); citation F1 as in that of MADQA
(Borchmann et al., 2026). Rankings end where the run's does; some benchmarks retrieve hundreds of pages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.page_locations import document_of, gold_documents, gold_places
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer

Measure = Callable[[Sequence[str], Sequence[str]], float]
"""Function from the gold places and the ranked ones, each once, to a score."""


def page_scorers() -> tuple[Scorer, ...]:
    """Hit and recall at 1, 5 and 10 pages, MRR and nDCG at 10."""
    cuts = (1, 5, 10)
    return (
        *(_pages(f"Page Hit@{k}", _cut(hit, k)) for k in cuts),
        *(_pages(f"Page Recall@{k}", _cut(recall, k)) for k in cuts),
        _pages("Page MRR@10", _cut(reciprocal_rank, 10)),
        _pages("Page nDCG@10", lambda gold, ranked: gain(gold, ranked, 10)),
    )


def document_scorers(k: int) -> tuple[Scorer, ...]:
    """MRR, and nDCG and recall at k documents."""
    return (
        _documents("Document MRR", reciprocal_rank),
        _documents(f"Document nDCG@{k}", lambda gold, ranked: gain(gold, ranked, k)),
        _documents(f"Document Recall@{k}", _cut(recall, k)),
    )


def citation_f1() -> tuple[Scorer, Scorer]:
    """F1 of cited documents and of cited pages; an answer without citations scores 0."""

    def pages(question: Question, outcome: Outcome) -> float | None:
        gold = gold_places(question)
        return f1(gold, outcome.cited_places) if gold else None

    def documents(question: Question, outcome: Outcome) -> float | None:
        gold = gold_documents(question)
        return f1(gold, [document_of(one) for one in outcome.cited_places]) if gold else None

    return Scorer("Document F1", documents), Scorer("Page F1", pages)


def recall(gold: Sequence[str], ranked: Sequence[str]) -> float:
    """Share of the gold that is ranked."""
    return len(set(gold) & set(ranked)) / len(set(gold))


def hit(gold: Sequence[str], ranked: Sequence[str]) -> float:
    """1 when any of the gold is ranked."""
    return float(not set(gold).isdisjoint(ranked))


def reciprocal_rank(gold: Sequence[str], ranked: Sequence[str]) -> float:
    """1 / rank of the first gold place, else 0."""
    return next((1 / rank for rank, one in enumerate(ranked, start=1) if one in gold), 0.0)


def gain(gold: Sequence[str], ranked: Sequence[str], k: int) -> float:
    """nDCG at k with gain 1 for each gold place."""
    found = sum(1 / math.log2(rank + 1) for rank, one in enumerate(ranked[:k], start=1) if one in gold)
    return found / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(set(gold))) + 1))


def f1(gold: Sequence[str], cited: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of two sets."""
    common = len(set(gold) & set(cited))
    return 2 * common / (len(set(gold)) + len(set(cited))) if common else 0.0


def _pages(name: str, measure: Measure) -> Scorer:
    def score(question: Question, outcome: Outcome) -> float | None:
        gold = gold_places(question)
        return measure(gold, _each_once(outcome.places)) if gold else None

    return Scorer(name, score, of_ranking=True)


def _documents(name: str, measure: Measure) -> Scorer:
    def score(question: Question, outcome: Outcome) -> float | None:
        gold = gold_documents(question)
        return measure(gold, _each_once(document_of(one) for one in outcome.places)) if gold else None

    return Scorer(name, score, of_ranking=True)


def _cut(measure: Measure, k: int) -> Measure:
    return lambda gold, ranked: measure(gold, ranked[:k])


def _each_once(places: Iterable[str]) -> list[str]:
    return [one for one in dict.fromkeys(places) if one]
