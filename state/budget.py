"""Budgets are hard: a run that would pass a ceiling stops and answers with the best so far.

Ceilings are checked in two places: between decisions, against the ledger (``exceeded``, ``may_spend``),
and before every single call of a model within a decision, against the ``Allowance`` it was given.
"""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.settings import Budget
from backtrail.state.usage import Charge, total_usage


@dataclass(frozen=True)
class Allowance:
    """What a decision may spend: calls, tokens, US dollars, seconds. None means no ceiling."""

    calls: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


UNBOUNDED = Allowance()


def allowance(ledger: dict[str, Charge], budget: Budget) -> Allowance:
    """What is left under every ceiling; never below zero.

    Decisions of one super-step (a fan-out) share the ledger that their step saw: each is given all that
    was left then, so n siblings together can spend up to n times what was left. The next step sees the sum.
    """
    spent = total_usage(ledger)
    return Allowance(
        calls=None if budget.calls is None else max(0, budget.calls - spent["calls"]),
        input_tokens=None if budget.input_tokens is None else max(0, budget.input_tokens - spent["input_tokens"]),
        output_tokens=None if budget.output_tokens is None else max(0, budget.output_tokens - spent["output_tokens"]),
        usd=None if budget.usd is None else max(0.0, budget.usd - spent["cost_usd"]),
        seconds=None if budget.seconds is None else max(0.0, budget.seconds - sum(spent["seconds"].values())),
    )


def exceeded(ledger: dict[str, Charge], steps: int, budget: Budget) -> str | None:
    """The stop reason of the first ceiling that has been reached, or None.

    A ceiling of n allows n: the run stops when the next call or step would be number n + 1. A run that
    has spent nothing has reached no ceiling; with a ceiling of zero, ``may_spend`` keeps it that way.
    A ceiling is also reached once a call was refused because it did not fit under it.
    """
    for name, (used, ceiling) in _measured(ledger, steps, budget).items():
        if ceiling is not None and ((used >= ceiling and used > 0) or _refused(ledger, name, ceiling)):
            return f"budget:{name}"
    return None


def may_spend(ledger: dict[str, Charge], budget: Budget) -> bool:
    """Whether one more call of a model fits under every ceiling."""
    measured = _measured(ledger, 0, budget)
    return all(
        ceiling is None or (used < ceiling and not _refused(ledger, name, ceiling))
        for name, (used, ceiling) in measured.items()
        if name != "steps"
    )


def ceiling_of(budget: Budget, name: str) -> float | None:
    """The ceiling of that name."""
    return _measured({}, 0, budget)[name][1]


def _refused(ledger: dict[str, Charge], name: str, ceiling: float) -> bool:
    """Whether a call was refused under this ceiling, or a higher one; raising a ceiling lets the run go on."""
    return any(name in one.get("refused", {}) and ceiling <= one.get("refused", {})[name] for one in ledger.values())


def _measured(ledger: dict[str, Charge], steps: int, budget: Budget) -> dict[str, tuple[float, float | None]]:
    spent = total_usage(ledger)
    return {
        "steps": (steps, budget.steps),
        "calls": (spent["calls"], budget.calls),
        "input_tokens": (spent["input_tokens"], budget.input_tokens),
        "output_tokens": (spent["output_tokens"], budget.output_tokens),
        "usd": (spent["cost_usd"], budget.usd),
        "seconds": (sum(spent["seconds"].values()), budget.seconds),
    }
