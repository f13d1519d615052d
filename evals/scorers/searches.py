"""Searches of the web, or of what stands for it: how many of each kind, how long they took (VQA planner 5.1).

Methods that keep no record of searches, and questions that failed, are left out. Seconds are those of the provider
at hand: a local corpus takes milliseconds. What the same searches would take at the paper's provider is told apart.
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
"""Mean seconds of a call that the paper measured (5.1)."""


def search_count(kind: SearchKind) -> Scorer:
    """Searches of a kind that a question took."""

    def count(question: Question, outcome: Outcome) -> float | None:
        made = _of(outcome, kind)
        return None if made is None else float(made.searches)

    return Scorer(NAMES[kind].capitalize(), count, "count")


def search_seconds(kind: SearchKind) -> Scorer:
    """Seconds that the searches of a kind took together, side by side or not; left out where there were none."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        made = _of(outcome, kind)
        return made.seconds if made is not None and made.searches else None

    return Scorer(f"s {NAMES[kind]}", seconds, "amount")


def failed_searches() -> Scorer:
    """Searches that could not be carried out, of any kind: a method that seems to search may have found nothing so."""

    def failed(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.searches
        return None if made is None else float(sum(one.failed for one in made.values()))

    return Scorer("Failed searches", failed, "count")


def search_requests() -> Scorer:
    """Requests that went over the network: none with a corpus, or where everything was held from before."""

    def requests(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.searches
        return None if made is None else float(sum(one.requests for one in made.values()))

    return Scorer("Requests", requests, "amount")


def search_seconds_in_paper() -> Scorer:
    """What the searches would take with the paper's mean seconds a call."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        if outcome.planned.searches is None:
            return None
        return sum(PAPER_SECONDS[kind] * made.searches for kind in SEARCH_KINDS if (made := _of(outcome, kind)))

    return Scorer("Search s at the paper's speed", seconds, "amount")


def search_scorers() -> tuple[Scorer, ...]:
    """All of them."""
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
