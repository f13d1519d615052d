"""Scorers of the cost of planning, without answer and searches (CogPlanner 6.3.2; VQA planner 5.1).

Methods that do not plan searches, and failed questions, are skipped. Latency is also skipped where no model was
called, as the time of rules is not recorded.
"""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.actions import action_scorers
from backtrail.evals.scorers.searches import search_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens


def planner_calls() -> Scorer:
    """Model calls of the planner."""

    def calls(question: Question, outcome: Outcome) -> float | None:
        spent = outcome.planned.planning
        return None if spent is None else float(spent.calls)

    return Scorer("Planner calls", calls, "amount")


def planner_tokens() -> Scorer:
    """Input and output tokens of the planner."""

    def tokens(question: Question, outcome: Outcome) -> float | None:
        spent = outcome.planned.planning
        return None if spent is None else float(spent.input_tokens + spent.output_tokens)

    return Scorer("Planner tokens", tokens, "amount")


def planner_tokens_out() -> Scorer:
    """Output tokens of the planner."""

    def tokens(question: Question, outcome: Outcome) -> float | None:
        spent = outcome.planned.planning
        return None if spent is None else float(spent.output_tokens)

    return Scorer("Planner tokens out", tokens, "amount")


def planner_latency() -> Scorer:
    """Seconds that the run waited for its planner; of two parallel decisions the longer counts."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        spent = outcome.planned.planning
        return spent.seconds if spent is not None and spent.calls else None

    return Scorer("Planner s", seconds, "amount")


def planner_scorers() -> tuple[Scorer, ...]:
    """All of these scorers."""
    return (planner_calls(), planner_tokens(), planner_tokens_out(), planner_latency())


def planning_scorers() -> tuple[Scorer, ...]:
    """Scorers of every task whose methods plan web searches: their searches, and the spending."""
    return (
        abstained(), *action_scorers(), *search_scorers(), *planner_scorers(), calls(), tokens(), cost(), seconds(),
    )  # fmt: skip
