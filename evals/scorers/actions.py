"""Scorers of search decisions: the actions of CogPlanner's rounds, the path of the VQA planner.

Neither good nor bad alone. Methods without such decisions, and failed questions, are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import get_args

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer, Scorer
from backtrail.state.planned_search import SearchAction

ACTIONS: tuple[SearchAction, ...] = get_args(SearchAction)
PATHS = {"c1": "none", "c2": "text", "c3": "image", "c4": "both"}


def action_share(action: SearchAction) -> PooledScorer:
    """Share of an action among the actions of all rounds of all questions (CogPlanner, table 5).

    The last round, which decides against a search, counts too.
    """

    def own(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.actions
        return made.count(action) / len(made) if made else None

    return PooledScorer(f"Action: {action}", own, pool=partial(_pooled, action))


def path_share(path: str) -> Scorer:
    """Share of the questions that took a path: c1 to c4 (VQA planner, table 3)."""

    def took(question: Question, outcome: Outcome) -> float | None:
        return float(outcome.planned.path == path) if outcome.planned.path else None

    return Scorer(f"{path} ({PATHS[path]})", took)


def rounds() -> Scorer:
    """Rounds of planning, including the last one without a search (CogPlanner, figure 4, by hops)."""

    def count(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.actions
        return None if made is None else float(len(made))

    return Scorer("Rounds", count, "count")


def retrievals() -> Scorer:
    """Rounds with a search: the retrieval actions of CogPlanner's figure 4."""

    def count(question: Question, outcome: Outcome) -> float | None:
        made = outcome.planned.actions
        return None if made is None else float(sum(action != "no search" for action in made))

    return Scorer("Retrievals", count, "count")


def action_scorers() -> tuple[Scorer, ...]:
    """All of these scorers; each applies only to methods with that decision."""
    return (
        *(action_share(action) for action in ACTIONS),
        *(path_share(path) for path in PATHS),
        rounds(),
        retrievals(),
    )


def _pooled(action: SearchAction, pairs: Sequence[Pair]) -> float:
    made = [one for _, outcome in pairs for one in outcome.planned.actions or ()]
    return made.count(action) / len(made) if made else 0.0
