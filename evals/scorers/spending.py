"""Scorers of the spending for an answer. Failed questions are skipped."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.scorer import Scorer


def calls() -> Scorer:
    """Model calls."""
    return Scorer("Calls", lambda question, outcome: float(outcome.calls), "amount")


def tokens() -> Scorer:
    """Input and output tokens together."""
    return Scorer("Tokens", lambda question, outcome: float(outcome.input_tokens + outcome.output_tokens), "amount")


def cost() -> Scorer:
    """US dollars by the price table."""
    return Scorer("Cost", lambda question, outcome: outcome.cost_usd, "usd")


def seconds() -> Scorer:
    """Wall time of the run. Only with a concurrency of 1 is it the time that a single user waits."""
    return Scorer("Seconds", lambda question, outcome: outcome.seconds, "seconds")


def hops() -> Scorer:
    """Traversals, without refused ones; skipped for methods without a history."""

    def traversals(_: object, outcome: Outcome) -> float | None:
        return None if outcome.hops is None else float(outcome.hops)

    return Scorer("Hops", traversals, "amount")
