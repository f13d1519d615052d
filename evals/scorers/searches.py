"""Scorers of searches of the web or its substitute: counts and seconds of each kind (VQA planner 5.1).

Methods that record no searches, and failed questions, are skipped. Seconds are those of the provider in use: a local
corpus takes milliseconds. The time at the speed of the paper's provider has its own scorer.
"""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.evals.outcome import Outcome
from backtrail.evals.planning_record import SEARCH_KINDS, SearchCounts
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.state.search import SearchKind

NAMES: Mapping[SearchKind, str] = {
    "text": "text searches", "image-by-text": "text-to-image", "image-by-picture": "image-to-image",
}  # fmt: skip
PAPER_SECONDS: Mapping[SearchKind, float] = {"text": 1.4, "image-by-text": 1.9, "image-by-picture": 6.4}
"""Mean seconds of a call as measured in the paper (5.1)."""


def search_count(kind: SearchKind) -> Scorer:
    """Number of searches of a kind."""

    def count(question: Question, outcome: Outcome) -> float | None:
        made = _of(outcome, kind)
        return None if made is None else float(made.searches)

    return Scorer(NAMES[kind].capitalize(), count, "count")


def search_seconds(kind: SearchKind) -> Scorer:
    """Sum of the seconds of the searches of a kind, parallel or not; skipped where there were none."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        made = _of(outcome, kind)
        return made.seconds if made is not None and made.searches else None

    return Scorer(f"s {NAMES[kind]}", seconds, "amount")


def failed_searches() -> Scorer:
    """Number of searches of any kind that failed, which may explain missing results."""

    def failed(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.searches
        return None if made is None else float(sum(one.failed for one in made.values()))

    return Scorer("Failed searches", failed, "count")


def search_requests() -> Scorer:
    """Number of network requests: 0 with a corpus, or when everything was cached."""

    def requests(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.searches
        return None if made is None else float(sum(one.requests for one in made.values()))

    return Scorer("Requests", requests, "amount")


def search_seconds_in_paper() -> Scorer:
    """Seconds of the searches at the paper's mean seconds per call."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        if outcome.planned.searches is None:
            return None
        return sum(PAPER_SECONDS[kind] * made.searches for kind in SEARCH_KINDS if (made := _of(outcome, kind)))

    return Scorer("Search s at the paper's speed", seconds, "amount")


def search_scorers() -> tuple[Scorer, ...]:
    """All of these scorers."""
    return (
        *(search_count(kind) for kind in SEARCH_KINDS),
        *(search_seconds(kind) for kind in SEARCH_KINDS),
        failed_searches(),
        search_requests(),
        search_seconds_in_paper(),
    )


def _of(outcome: Outcome, kind: SearchKind) -> SearchCounts | None:
    made = outcome.planned.searches
    return None if made is None else made.get(kind, SearchCounts())
