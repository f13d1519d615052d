"""Oracle: scores of a perfect ranking, which separate losses of ingestion from misses of retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backtrail.evals.outcome import Outcome
from backtrail.evals.page_locations import place
from backtrail.evals.questions import Evidence, Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.summary import Summary, summarise

NAME = "oracle"


def oracle(scorers: Sequence[Scorer], questions: Sequence[Question]) -> Summary | None:
    """Score a ranking with one component of each gold piece of the corpus; None without evidence."""
    asked = [question for question in questions if question.evidence and question.gold]
    of_ranking = [scorer for scorer in scorers if scorer.of_ranking]
    if not asked or not of_ranking:
        return None
    summary = summarise(NAME, of_ranking, [(question, _perfect(question)) for question in asked])
    return replace(summary, median_seconds=None, p95_seconds=None)


def lost(questions: Sequence[Question]) -> list[tuple[Question, Evidence]]:
    """Return the pieces of evidence that no component of the corpus holds."""
    return [
        (question, piece)
        for question in questions
        for piece, group in zip(question.evidence, question.gold, strict=False)
        if not group
    ]


def _perfect(question: Question) -> Outcome:
    """Return the outcome that ranks one component of each piece found, with the pages of these pieces."""
    there = [(group[0], piece) for group, piece in zip(question.gold, question.evidence, strict=True) if group]
    ranking = tuple(dict.fromkeys(id_ for id_, _ in there))
    places = tuple(dict.fromkeys(place(piece.document, piece.page) for _, piece in there))
    return Outcome(id=question.id, fingerprint=question.fingerprint, ranking=ranking, places=places, seconds=0.0)
